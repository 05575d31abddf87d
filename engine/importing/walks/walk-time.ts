/** Times as apps write them. */

interface ReadTime {
  /** ISO in UTC with milliseconds; null: not read. */
  readonly time: string | null;
  readonly hasZone: boolean;
}

const unread: ReadTime = { time: null, hasZone: true };

const isoTime =
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i;
/** As spreadsheets of the United States have it. */
const usTime = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([AP]M)?)?$/i;

/** ISO with or without a zone, month/day/year, or the seconds or milliseconds since 1970. */
export function parseTime(value: unknown): ReadTime {
  const text = String(value).trim();
  if (/^\d{9,13}(?:\.\d{1,6})?$/.test(text)) {
    const number = Number(text);
    // In seconds until the year 5138, in milliseconds since 1973.
    return { time: isoOf(number < 1e11 ? number * 1000 : number), hasZone: true };
  }
  const iso = isoTime.exec(text);
  if (iso) {
    const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = iso;
    const at = utc([year, month, day, hour, minute, second], Number(`0.${fraction || '0'}`) * 1000);
    return at === null ? unread : { time: isoOf(at - zoneMilliseconds(zone)), hasZone: zone !== undefined };
  }
  const us = usTime.exec(text);
  if (!us) return unread;
  const [, month, day, year, hour = '0', minute = '0', second = '0', half] = us;
  const hours = half ? (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0) : Number(hour);
  const at = utc([year, month, day, String(hours), minute, second], 0);
  return at === null ? unread : { time: isoOf(at), hasZone: false };
}

function utc(parts: readonly (string | undefined)[], milliseconds: number): number | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  const at = Date.UTC(year, month - 1, day, hour, minute, Math.min(second, 59), Math.floor(milliseconds + 1e-6));
  const date = new Date(at);
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  // A leap second is the one before.
  return isDay && hour < 24 && minute < 60 && second <= 60 && year > 0 ? at : null;
}

function zoneMilliseconds(zone = 'Z'): number {
  const found = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!found) return 0;
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0);
  return (found[1] === '-' ? -minutes : minutes) * 60_000;
}

/** Four digits of a year: others are no times of walks. */
function isoOf(milliseconds: number): string | null {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 ? null : date.toISOString();
}
