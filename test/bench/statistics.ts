/** Medians and percentiles of times, and how they are written. */

/** The value below which a share `q` of the values lies (nearest rank). */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(values.length - 1, Math.floor(values.length * q))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Three digits that mean something: 0.218, 15.2, 1,219. */
export function milliseconds(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toPrecision(value < 0.1 ? 2 : 3);
}

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6).toLocaleString('en-US')} MB`;
export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
