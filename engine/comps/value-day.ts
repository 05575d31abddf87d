/** The day for which land is valued: today, or a past one that the caller names. */
import { validationError } from '../spec/errors.ts';
import { isoFromDate } from '../spec/value-schemas.ts';
import { dayOfTime, isoOfDay } from './comp-facts.ts';

export interface ValueDay {
  readonly time: Date;
  /** Before today: nothing later may count. */
  readonly isPast: boolean;
}

/**
 * @param asOf a day as the service writes it; missing: now
 * @throws EngineError validation_error for no calendar date, or one later than today
 */
export function valueDay(asOf: string | undefined, now: Date): ValueDay {
  if (asOf === undefined) return { time: now, isPast: false };
  const iso = isoFromDate(asOf);
  if (iso === null) throw validationError({ as_of: [`expected a calendar date, found ${asOf}`] });
  const today = isoOfDay(dayOfTime(now));
  if (iso > today) throw validationError({ as_of: [`expected a day up to ${today}, found ${iso}`] });
  return { time: new Date(`${iso}T00:00:00Z`), isPast: iso < today };
}
