/** Dates as people read them, and the months between two. */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `2010-08-12` → `12 Aug 2010`, without time zone conversion. */
export function formatDate(iso: string): string {
  const [year, month, day] = iso.slice(0, 10).split('-');
  return `${Number(day)} ${months[Number(month) - 1] ?? ''} ${year}`;
}

/** The ISO day so many months earlier, with the same number if that month has it, else its last day. */
export function monthsBefore(day: string, count: number): string {
  const [year = 0, month = 1, number = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - count, Math.min(number, last))).toISOString().slice(0, 10);
}

/** How many days the last months have, today among them: those that statistics of these months count. */
export const daysOfMonths = (today: string, count: number): number =>
  Math.round((Date.parse(today) - Date.parse(monthsBefore(today, count))) / 86_400_000);
