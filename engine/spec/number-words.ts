/** Numbers as people read them. Units are separate, to appear beside them in gray. */

/** Between a number and its percent sign. */
export const noBreak = '\u00a0';

export const minus = (text: string): string => text.replace('-', '−');

export function formatNumber(value: number, digits?: number): string {
  const options =
    digits === undefined
      ? { maximumFractionDigits: 2 }
      : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  // What rounds to zero has no sign.
  return minus(value.toLocaleString('en-US', { ...options, signDisplay: 'negative' }));
}

export const formatMoney = (value: number): string =>
  minus(`${value < 0 ? '-' : ''}$${formatNumber(Math.abs(value), 0)}`);

export const formatPercent = (value: number, digits?: number): string => `${formatNumber(value, digits)}${noBreak}%`;

/** 195 → `16 yr 3 mo`. */
export function formatMonths(total: number): string {
  const [years, rest] = [Math.floor(total / 12), total % 12];
  return [years > 0 ? `${years} yr` : '', rest > 0 || years === 0 ? `${rest} mo` : ''].filter(Boolean).join(' ');
}
