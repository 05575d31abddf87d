/**
 * GeoJSON features one after the other: newline-delimited, with record separators (RFC 8142), or a single feature. Where
 * one ends is found from its brackets, so pretty-printed features do as well.
 */
import { JsonScanner } from './json-scanner.ts';
import { type ParcelFeature, takeFeature } from './parcel-feature.ts';

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
