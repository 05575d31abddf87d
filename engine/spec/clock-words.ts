/** A clock's difference from UTC, as people write it. */

/** `-05:00:12` → -18012; null for anything else. Hours may be many: a clock may have been reset. */
export function parseClock(text: string): number | null {
  const [, sign, hours, minutes, seconds = '0'] =
    /^([+\-−])?(\d{1,6}):([0-5]\d)(?::([0-5]\d))?$/.exec(text.trim()) ?? [];
  if (hours === undefined) return null;
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return sign === '-' || sign === '−' ? -size : size;
}

/** -18012 → `-05:00:12`; whole minutes without seconds. */
export function clockWords(seconds: number): string {
  const size = Math.abs(Math.round(seconds));
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${seconds < 0 ? '-' : '+'}${(parts[2] === '00' ? parts.slice(0, 2) : parts).join(':')}`;
}
