/** Formats that GDAL reads (`gdal` in spec/import-formats.ts): a worker with GDAL writes what is wanted as FlatGeobuf. */
import fs from 'node:fs';
import path from 'node:path';
import { defined } from '../../../spec/defined.ts';
import { EngineError } from '../../../spec/errors.ts';
import { formatOf, type GdalFormat, type GdalFormatName, importFormats } from '../../../spec/import-formats.ts';
import { runInWorker } from '../bytes/run-in-worker.ts';
import { openFlatGeobuf } from '../flatgeobuf/flatgeobuf-reader.ts';
import type { ParcelLayer, ParcelSource, ReadOptions } from '../parcel-source.ts';
import { temporaryFolder } from '../zip/zip-archive.ts';
import { drawingLayers } from './drawing-layers.ts';
import { declaredRows, filesOf, gdalFiles, type NamedFile } from './gdal-files.ts';

export interface GdalInput {
  /** All that GDAL sees. */
  readonly files: readonly NamedFile[];
  /** Which of them it opens, or their folder. */
  readonly open: string;
  readonly driver: string;
  readonly label: string;
  readonly config: Readonly<Record<string, string>>;
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

/** GDAL writes 50,000 parcels a second; a state takes minutes. A drawing is of a town, and a few bytes of it can repeat a symbol for hours. */
const limitsOf = ({ drawing }: GdalFormat) => ({ milliseconds: (drawing ? 3 : 20) * 60_000, heapMegabytes: 512 });

/** Whether the names of a folder's files are those of a geodatabase. */
export const isGeodatabase = (names: readonly string[]): boolean =>
  names.some((name) => /^a00000001\.gdbtable$/i.test(name));

/** @param folder of a File Geodatabase: everything in it is a part */
export function openFileGeodatabase(folder: string, options: ReadOptions): ParcelSource {
  const files = filesOf(folder).map((file) => ({ ...file, name: `layer.gdb/${file.name}` }));
  return openByGdal({ format: 'file-geodatabase', place: folder, files, open: 'layer.gdb' }, options);
}

/**
 * @param around the files among which its parts are; without it, those of its folder
 * @throws EngineError import_refused for a file that was cut off, or whose parts are missing
 */
export function openGdalFile(
  format: GdalFormatName,
  main: NamedFile,
  options: ReadOptions,
  around: readonly NamedFile[] = filesOf(path.dirname(main.path)),
): ParcelSource {
  const files = gdalFiles(format, main, around);
  return openByGdal({ format, place: main.path, files, open: files[0]?.name ?? '' }, options);
}

interface GdalFile {
  readonly format: GdalFormatName;
  /** The file or folder, as messages name it. */
  readonly place: string;
  readonly files: readonly NamedFile[];
  readonly open: string;
}

function openByGdal({ format, place, files, open }: GdalFile, options: ReadOptions): ParcelSource {
  const { label, gdal }: { label: string; gdal: GdalFormat } = importFormats[format];
  const { driver, config = {} } = gdal;
  const destination = temporaryFolder();
  const close = () => fs.rmSync(destination, { recursive: true, force: true });
  // In a drawing a value of each row names its layer: only the last row completes the list.
  const sampleRows = gdal.drawing ? null : (options.sampleRows ?? null);
  const run = (layer: string | null): readonly GdalLayer[] => {
    const input: GdalInput = { files, open, driver, label, config, destination, layer, sampleRows };
    return runInWorker<GdalInput, GdalResult>('gdal/gdal-worker', input, place, limitsOf(gdal)).layers;
  };
  try {
    let layers = run(gdal.drawing ? gdal.drawing.layer : (options.layer ?? null));
    expectRows(place, layers, declaredRows(files));
    const openLayer = (name: string, how: ReadOptions): ParcelLayer => {
      const find = () => layers.find((layer) => layer.name === name && layer.file !== null);
      if (!find()) layers = run(name);
      const found = find();
      if (found?.file) return asLayer({ format, place, gdal }, found.file, found, how);
      throw new EngineError('import_refused', `${place}: it has no layer ${JSON.stringify(name)}.`);
    };
    if (gdal.drawing) {
      const { layer, layersBy } = gdal.drawing;
      return { ...drawingLayers(place, layersBy, (how) => openLayer(layer, how), options), close };
    }
    return { layerNames: layers.map(({ name }) => name), openLayer: (name) => openLayer(name, options), close };
  } catch (error) {
    close();
    throw error;
  }
}

function expectRows(place: string, layers: readonly GdalLayer[], declared: number | null): void {
  const found = layers.reduce((sum, { rowCount }) => sum + rowCount, 0);
  if (declared === null || declared === found) return;
  throw new EngineError(
    'import_refused',
    `${place}: expected ${declared} shapes, as many as the rows beside it, found ${found}: one of its files was cut off.`,
  );
}

interface Read {
  readonly format: GdalFormatName;
  readonly place: string;
  readonly gdal: GdalFormat;
}

function asLayer({ format, place, gdal }: Read, file: string, of: GdalLayer, options: ReadOptions): ParcelLayer {
  const { name, rowCount } = of;
  const isSample = options.sampleRows !== undefined && !gdal.drawing;
  const unnamed = () => {
    const { lacksSystem, label } = formatOf(format);
    const found = lacksSystem ? `and a ${label} never names one` : `found none in the layer ${name}`;
    return new EngineError(
      'import_refused',
      `${place}: expected a coordinate system, ${found}. Name it (--crs EPSG:…).`,
    );
  };
  const layer = named(place, name, file, () =>
    openFlatGeobuf(file, { ...options, ...defined({ crs: options.crs ?? gdal.assumes }) }, unnamed),
  );
  return {
    ...layer,
    name,
    format,
    columns: gdal.textOnly ? (layer.columns?.map((column) => ({ ...column, type: null })) ?? null) : layer.columns,
    rowCount,
    // What was written is a sample then, and so are its bounds.
    bounds: isSample ? null : layer.bounds,
    system: () => named(place, name, file, layer.system),
    *features() {
      let rows = 0;
      const features = layer.features();
      try {
        for (;;) {
          const next = named(place, name, file, () => features.next());
          if (next.done) break;
          rows++;
          yield next.value;
        }
      } finally {
        features.return(undefined);
      }
      if (rows === rowCount || isSample) return;
      throw new EngineError(
        'import_refused',
        `${place}: expected ${rowCount} rows in the layer ${name}, found ${rows}: the file is damaged.`,
      );
    },
  };
}

/** Messages name the layer, not the file that was written for the time of reading. */
function named<Result>(place: string, name: string, file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new EngineError(error.code, error.message.replaceAll(file, `${place} (${name})`), { cause: error });
  }
}
