/** Ticks of latitude and longitude at round seconds along the frame, and how they are written. */

/** Seconds of arc. */
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600] as const;

/** Multiples of the first step that is at least `least` degrees, between two degrees. */
export function ticksBetween(from: number, to: number, least: number): number[] {
  const seconds = steps.find((step) => step / 3600 >= least) ?? (steps.at(-1) as number);
  const first = Math.ceil((from * 3600) / seconds);
  const last = Math.floor((to * 3600) / seconds);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => ((first + at) * seconds) / 3600);
}

/** `71°53'15" W` */
export function angleWords(degrees: number, [positive, negative]: readonly [string, string]): string {
  const seconds = Math.round(Math.abs(degrees) * 3600);
  const two = (value: number) => String(value).padStart(2, '0');
  const parts = `${Math.floor(seconds / 3600)}°${two(Math.floor(seconds / 60) % 60)}'${two(seconds % 60)}"`;
  return `${parts} ${degrees < 0 ? negative : positive}`;
}
