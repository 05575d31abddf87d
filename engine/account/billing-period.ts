/** The billing period: a calendar month from the anchor day, UTC. */

export interface Period {
  /** ISO date-time of the first moment. */
  readonly start: string;
  /** ISO date-time of the first moment of the next period. */
  readonly end: string;
}

/** Midnight UTC of the anchor day in that month, or of the month's last day if the month is shorter. */
function anchorIn(year: number, month: number, anchorDay: number): Date {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(anchorDay, lastDay)));
}

/** The period that contains `now`; `anchorDay` is 1 to 31. */
export function billingPeriod(now: Date, anchorDay: number): Period {
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  const thisMonth = anchorIn(year, month, anchorDay);
  const [start, end] =
    now >= thisMonth
      ? [thisMonth, anchorIn(year, month + 1, anchorDay)]
      : [anchorIn(year, month - 1, anchorDay), thisMonth];
  return { start: start.toISOString(), end: end.toISOString() };
}
