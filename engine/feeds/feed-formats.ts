/** The formats of each kind of feed, which are the extensions of its address, and their media types. */
import type { FeedKind } from './feed-store.ts';

export type FeedFormat = 'csv' | 'geojson' | 'txt';

/** The app shows the address with the first extension. */
export const feedFormats: Readonly<Record<FeedKind, readonly FeedFormat[]>> = {
  search: ['csv', 'geojson'],
  comps: ['csv', 'geojson'],
  value: ['txt'],
};

export const feedMediaTypes: Readonly<Record<FeedFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  geojson: 'application/geo+json',
  txt: 'text/plain; charset=utf-8',
};
