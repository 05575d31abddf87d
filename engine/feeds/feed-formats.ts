/** The media types of feeds. */
import type { FeedFormat } from '../account/feed-store.ts';
import { exportFormat } from '../exporting/index.ts';

export const feedMediaTypes: Readonly<Record<FeedFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  geojson: 'application/geo+json',
  xlsx: exportFormat('xlsx').mediaType,
  parquet: exportFormat('geoparquet').mediaType,
  txt: 'text/plain; charset=utf-8',
};

/** Formats of plain text that may be long; the others are packed by themselves, or one line. */
export const packableFormats: ReadonlySet<FeedFormat> = new Set(['csv', 'geojson']);
