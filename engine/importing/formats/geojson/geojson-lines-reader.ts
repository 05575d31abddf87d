/**
 * GeoJSON features in sequence: newline-delimited, with record separators (RFC 8142), or a single feature. Brackets
 * delimit a feature, so pretty-printed features work too.
 */

import { type ParcelFeature, takeFeature } from '../parcel-feature.ts';
import { JsonScanner } from './json-scanner.ts';

const recordSeparator = '\x1e';

export function* readGeoJsonLines(filePath: string): Generator<ParcelFeature> {
  const scanner = new JsonScanner(filePath);
  try {
    for (let row = 1; ; row++) {
      while (scanner.take(recordSeparator));
      if (scanner.peek() === -1) return;
      yield takeFeature(scanner, row);
    }
  } finally {
    scanner.close();
  }
}
