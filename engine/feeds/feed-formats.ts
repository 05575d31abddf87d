/** The media types of feeds. */
import type { FeedFormat } from '../account/feed-store.ts';
import { exportFormat } from '../exporting/index.ts';

export const feedMediaTypes: Readonly<Record<FeedFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  geojson: 'application/geo+json',
  xlsx: exportFormat('xlsx').mediaType,
  txt: 'text/plain; charset=utf-8',
};
