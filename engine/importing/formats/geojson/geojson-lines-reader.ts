/**
 * GeoJSON features in sequence: newline-delimited, with record separators (RFC 8142), or a single feature. Brackets
 * delimit a feature, so pretty-printed features work too.
 */

import { type ParcelFeature, takeFeature } from '../parcel-feature.ts';
import { isInShare, type Share } from '../parcel-source.ts';
import { JsonScanner } from './json-scanner.ts';

const recordSeparator = '\x1e';

/** @param share skips other threads' rows unchecked: their own reader checks them */
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
