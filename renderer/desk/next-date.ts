/** Days of next steps: typed in few letters, shown in few words, always of this computer's calendar. */
import { firstDealDay, lastDealDay } from '../../engine/spec/deals.ts';

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const isoOf = (year: number, month: number, day: number): string | null => {
  const date = new Date(Date.UTC(year, month, day));
  return date.getUTCMonth() === month && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : null;
};

const later = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

export function localDay(now = new Date()): string {
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** A month and day without a year: the next such day. */
function nextSuch(today: string, month: number, day: number): string | null {
  const year = Number(today.slice(0, 4));
  const thisYear = isoOf(year, month, day);
  return thisYear !== null && thisYear >= today ? thisYear : isoOf(year + 1, month, day);
}

function fromWords(text: string, today: string): string | null {
  const [, steps, unit] = /^\+(\d{1,3})\s*([dwm]?)$/.exec(text) ?? [];
  if (steps !== undefined) return later(today, Number(steps) * ({ w: 7, m: 30 }[unit ?? ''] ?? 1));
  const weekday = weekdays.indexOf(text.slice(0, 3));
  if (weekday >= 0 && /^[a-z]+$/.test(text)) {
    const from = new Date(`${today}T00:00:00Z`).getUTCDay();
    // "fri" on a Friday is the next one: today has a word of its own.
    return later(today, (weekday - from + 7) % 7 || 7);
  }
  return null;
}

function fromNumbers(text: string, today: string): string | null {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{2}|\d{4}))?$/.exec(text) ?? [];
  if (month !== undefined && year === undefined) return nextSuch(today, Number(month) - 1, Number(day));
  if (month !== undefined) return isoOf(Number(year) + (year?.length === 2 ? 2000 : 0), Number(month) - 1, Number(day));
  const [, number, name, of] = /^(\d{1,2})\s*([a-z]{3})[a-z]*\.?(?:\s+(\d{4}))?$/.exec(text) ?? [];
  const named = months.indexOf(name ?? '-');
  if (named < 0) return null;
  return of === undefined ? nextSuch(today, named, Number(number)) : isoOf(Number(of), named, Number(number));
}

/** `fri`, `+7`, `+2w`, `today`, `tomorrow`, `12/1`, `1 dec`, `2026-12-01`; undefined for an empty text, null for none of them. */
export function parseDay(given: string, today: string): string | undefined | null {
  const text = given.trim().toLowerCase();
  if (text === '') return undefined;
  if (text === 'today') return today;
  if (text === 'tomorrow' || text === 'tom') return later(today, 1);
  const [iso] = /^\d{4}-\d{2}-\d{2}$/.exec(text) ?? [];
  const found = iso
    ? isoOf(Number(iso.slice(0, 4)), Number(iso.slice(5, 7)) - 1, Number(iso.slice(8)))
    : (fromWords(text, today) ?? fromNumbers(text, today));
  return found !== null && found >= firstDealDay && found <= lastDealDay ? found : null;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `Tue 1 Dec`, with the year where it is another. */
export function dayWords(day: string, today: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const month = capital(months[date.getUTCMonth()] ?? '');
  const year = day.slice(0, 4) === today.slice(0, 4) ? '' : ` ${day.slice(0, 4)}`;
  return `${capital(weekdays[date.getUTCDay()] ?? '')} ${date.getUTCDate()} ${month}${year}`;
}

/** As the next step shows it: today has its word. */
export const nextWords = (day: string, today: string): string => (day === today ? 'Today' : dayWords(day, today));

/** `23 Nov`, as timelines have it. */
export const shortDay = (day: string, today: string): string => dayWords(day, today).replace(/^\S+ /, '');
