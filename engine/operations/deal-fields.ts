/** Shared by list_deals and update_deal: the day that counts as today, and days that a next step can have. */
import { firstDealDay, lastDealDay } from '../spec/deals.ts';
import { type ErrorDetails, validationError } from '../spec/errors.ts';
import { isoDaySchema, isoFromDate } from '../spec/value-schemas.ts';

export const todayField = isoDaySchema({
  description: 'The day that counts as today, as YYYY-MM-DD; without it the day in UTC.',
});

export const todayOf = (today: string | undefined, now: Date): string => today ?? now.toISOString().slice(0, 10);

/** @throws EngineError validation_error for a day that no calendar has, or that no deal can */
export function checkDays(fields: Readonly<Record<string, string | null | undefined>>): void {
  const problems: ErrorDetails = {};
  for (const [name, day] of Object.entries(fields)) {
    if (typeof day !== 'string') continue;
    const isDay = isoFromDate(day) === day && day >= firstDealDay && day <= lastDealDay;
    if (!isDay)
      problems[name] = [`expected a day from ${firstDealDay} to ${lastDealDay}, found ${JSON.stringify(day)}`];
  }
  if (Object.keys(problems).length > 0) throw validationError(problems);
}
