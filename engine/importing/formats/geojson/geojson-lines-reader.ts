/**
 * GeoJSON features one after the other: newline-delimited, with record separators (RFC 8142), or a single feature. Where
 * one ends is found from its brackets, so pretty-printed features do as well.
 */

import { type ParcelFeature, takeFeature } from '../parcel-feature.ts';
import { isInShare, type Share } from '../parcel-source.ts';
import { JsonScanner } from './json-scanner.ts';

const recordSeparator = '\x1e';

/** @param share rows of others are passed over: whether they are features, their own reader finds */
export function* readGeoJsonLines(filePath: string, share?: Share): Generator<ParcelFeature> {
  const scanner = new JsonScanner(filePath);
  try {
    for (let row = 1; ; row++) {
      while (scanner.take(recordSeparator));
      if (scanner.peek() === -1) return;
      if (isInShare(row, share)) yield takeFeature(scanner, row);
      else scanner.skipValue();
    }
  } finally {
    scanner.close();
  }
}
