/** The board's view on this computer: the range of lot sizes on the cards, and empty columns. */
import { createStore } from '../state/store.ts';

export const firstColumns: readonly string[] = ['Backlog', 'Watching', 'Active'];

interface MarketView {
  /** By its name in the numbers. */
  readonly bucket: string;
  /** The user's own columns, in order; the first three columns always exist. */
  readonly ownColumns: readonly string[];
}

export const marketView = createStore<MarketView>('platbook.markets', { bucket: '20 acre-40 acre', ownColumns: [] });

/** Every column: the first three, the user's own, and any other status that a script has set. */
export function columnsOf(ownColumns: readonly string[], statuses: readonly string[]): string[] {
  return [...new Set([...firstColumns, ...ownColumns, ...statuses])];
}

/** `20 acre-40 acre` → `20 to 40 acres`, `9.5k sqft-1 acre` → `9,500 sq ft to 1 acre`. */
export function bucketWords(bucket: string): string {
  const [from = '', below = ''] = bucket.split('-');
  const [low, high] = [sizeOf(from), sizeOf(below)];
  const unit = low.unit === '' || low.unit === high.unit ? '' : ` ${low.unit}`;
  const last = high.unit === 'acre' && high.size > 1 ? 'acres' : high.unit;
  return `${low.size.toLocaleString('en-US')}${unit} to ${high.size.toLocaleString('en-US')} ${last}`;
}

function sizeOf(text: string): { size: number; unit: string } {
  const [, digits = '0', thousand, unit = ''] = /^([\d.]+)(k?)\s*(\w*)$/.exec(text.trim()) ?? [];
  return { size: Number(digits) * (thousand ? 1000 : 1), unit: unit === 'sqft' ? 'sq ft' : unit };
}
