/** Endings of the addresses of feeds. */
import type { FeedKind } from './feed-store.ts';

export type FeedFormat = 'csv' | 'geojson' | 'txt';

/** Endings of the addresses of each kind; the first is the one to show. */
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
