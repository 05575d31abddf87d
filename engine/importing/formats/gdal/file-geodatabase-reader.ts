/** File Geodatabases (.gdb folders): nothing but GDAL reads them, so a worker with GDAL writes what is wanted as FlatGeobuf. */
import fs from 'node:fs';
import path from 'node:path';
import { EngineError } from '../../../spec/errors.ts';
import { runInWorker } from '../bytes/run-in-worker.ts';
import { openFlatGeobuf } from '../flatgeobuf/flatgeobuf-reader.ts';
import type { ParcelLayer, ParcelSource, ReadOptions } from '../parcel-source.ts';
import { temporaryFolder } from '../zip/zip-archive.ts';

export interface GdalInput {
  readonly folder: string;
  readonly destination: string;
  /** The layer to write; null: the only one. */
  readonly layer: string | null;
  /** Writes only so many rows, of every layer. */
  readonly sampleRows: number | null;
}

export interface GdalLayer {
  readonly name: string;
  readonly rowCount: number;
  /** Where it was written; null when it was not asked for. */
  readonly file: string | null;
}

export interface GdalResult {
  readonly layers: readonly GdalLayer[];
}

/** GDAL writes 50,000 parcels a second; a state takes minutes. */
const limits = { milliseconds: 20 * 60_000, heapMegabytes: 512 };

/** Whether the names of a folder's files are those of a geodatabase. */
export const isGeodatabase = (names: readonly string[]): boolean =>
  names.some((name) => /^a00000001\.gdbtable$/i.test(name));

export function openFileGeodatabase(folder: string, options: ReadOptions): ParcelSource {
  const destination = temporaryFolder();
  const close = () => fs.rmSync(destination, { recursive: true, force: true });
  const run = (layer: string | null): readonly GdalLayer[] => {
    const input = { folder: path.resolve(folder), destination, layer, sampleRows: options.sampleRows ?? null };
    return runInWorker<GdalInput, GdalResult>('../gdal/gdal-worker', input, folder, limits).layers;
  };
  try {
    let layers = run(options.layer ?? null);
    const find = (name: string) => layers.find((layer) => layer.name === name && layer.file !== null);
    return {
      layerNames: layers.map(({ name }) => name),
      openLayer(name) {
        if (!find(name)) layers = run(name);
        const found = find(name);
        if (!found?.file)
          throw new EngineError('import_refused', `${folder}: it has no layer ${JSON.stringify(name)}.`);
        return asLayer(folder, found.file, found, options);
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function asLayer(folder: string, file: string, { name, rowCount }: GdalLayer, options: ReadOptions): ParcelLayer {
  const layer = named(folder, name, file, () => openFlatGeobuf(file, options));
  return {
    ...layer,
    name,
    format: 'file-geodatabase',
    rowCount,
    // What was written is a sample then, and so are its bounds.
    bounds: options.sampleRows === undefined ? layer.bounds : null,
    system: () => named(folder, name, file, layer.system),
    *features() {
      let rows = 0;
      const features = layer.features();
      try {
        for (;;) {
          const next = named(folder, name, file, () => features.next());
          if (next.done) break;
          rows++;
          yield next.value;
        }
      } finally {
        features.return(undefined);
      }
      if (rows === rowCount || options.sampleRows !== undefined) return;
      throw new EngineError(
        'import_refused',
        `${folder}: expected ${rowCount} rows in the layer ${name}, found ${rows}: the geodatabase is damaged.`,
      );
    },
  };
}

/** Messages name the layer, not the file that was written for the time of reading. */
function named<Result>(folder: string, name: string, file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError(error.code, error.message.replaceAll(file, `${folder} (${name})`), { cause: error });
  }
}
