/**
 * Saved answers of the hosted service: envelopes {count, next, previous, results: […]}, one, several in sequence, or an
 * array of them; also a bare array of records, and single records. One record is in memory at a time.
 */
import path from 'node:path';
import { EngineError } from '../../../spec/errors.ts';
import { wgs84 } from '../crs/reference-system.ts';
import { JsonScanner } from '../geojson/json-scanner.ts';
import type { ParcelFeature } from '../parcel-feature.ts';
import type { ParcelLayer, ReadOptions } from '../parcel-source.ts';
import { asServiceRow } from './service-rows.ts';

interface ServiceRecord {
  readonly record: Record<string, unknown>;
  /** From 1, over all pages of the file. */
  readonly row: number;
  readonly byteOffset: number;
}

const openBrace = 0x7b;
const openBracket = 0x5b;

/** Every record of the file, of any kind: parcels, comps. */
export function* readServiceRecords(filePath: string): Generator<ServiceRecord> {
  const scanner = new JsonScanner(filePath);
  const counter = { row: 0 };
  try {
    while (scanner.peek() !== -1) {
      yield* scanner.peek() === openBracket ? readArray(scanner, counter) : readObject(scanner, counter);
    }
  } finally {
    scanner.close();
  }
}

function* readArray(scanner: JsonScanner, counter: { row: number }): Generator<ServiceRecord> {
  scanner.expect('[');
  if (scanner.take(']')) return;
  do yield* readObject(scanner, counter);
  while (scanner.take(','));
  scanner.expect(']');
}

/** A page if it has `results`; else a record. */
function* readObject(scanner: JsonScanner, counter: { row: number }): Generator<ServiceRecord> {
  if (scanner.peek() !== openBrace)
    throw scanner.refusal(`expected an answer of the service, found ${scanner.shownNext()}`);
  const byteOffset = scanner.offset;
  const record: Record<string, unknown> = {};
  scanner.expect('{');
  const before = counter.row;
  let isPage = false;
  if (!scanner.take('}')) {
    do {
      const name = scanner.takeName();
      if (name === 'results' && scanner.peek() === openBracket) {
        isPage = true;
        yield* readArray(scanner, counter);
      } else record[name] = scanner.takeValue();
    } while (scanner.take(','));
    scanner.expect('}');
  }
  if (!isPage) {
    counter.row++;
    yield { record, row: counter.row, byteOffset };
  } else if (typeof record.count === 'number' && counter.row - before > record.count) {
    throw scanner.refusal(`expected at most ${record.count} results as the page says, found ${counter.row - before}`);
  }
}

export function openServiceAnswers(filePath: string, _options: ReadOptions): ParcelLayer {
  return {
    name: path.basename(filePath, path.extname(filePath)),
    format: 'service-answers',
    columns: null,
    rowCount: null,
    bounds: null,
    encoding: 'UTF-8',
    system: () => wgs84,
    *features() {
      for (const { record, row, byteOffset } of readServiceRecords(filePath)) {
        expectParcel(filePath, record, byteOffset);
        yield {
          geometry: geometryOf(record),
          properties: asServiceRow(record),
          position: { row, byteOffset },
        } satisfies ParcelFeature;
      }
    },
  };
}

/** Every summary has both members; comps and other JSON do not. */
function expectParcel(filePath: string, record: Record<string, unknown>, byteOffset: number): void {
  if ('property_id' in record && 'apn' in record) return;
  throw new EngineError(
    'import_refused',
    `${filePath}: expected GeoJSON, or parcels of the hosted service (property_id, apn, …), found an object with ${Object.keys(record).slice(0, 5).join(', ') || 'nothing'}, at byte ${byteOffset}.`,
  );
}

/** The shape if the answer has one (a parcel's details), else its point. */
function geometryOf({ shape, point }: Record<string, unknown>): unknown {
  if (shape !== null && shape !== undefined) return shape;
  return Array.isArray(point) ? { type: 'Point', coordinates: point } : null;
}
