/**
 * Formats that the shipped GDAL reads, by GDAL compiled to WebAssembly: its memory is its own, and goes with this thread. The layers
 * are listed, and those that are asked for written as FlatGeobuf, which is read like any other. Arcs become short straight edges, as GDAL
 * draws them. GDAL sees the files that it is given and no others, cannot write beside them, and opens them with one driver.
 */
import fs from 'node:fs';
import path from 'node:path';
import { answerJob, Refusal } from '../bytes/answer-job.ts';
import type { GdalInput, GdalLayer, GdalResult } from './gdal-reader.ts';
import {
  type Dataset,
  type EmscriptenModule,
  type Gdal,
  type LayerInfo,
  messages,
  openWith,
  type SlicedFile,
  startGdal,
} from './start-gdal.ts';

/** Layers that are sampled of one file. */
const maxSampledLayers = 20;
/** More than a state has: such a count fills the disk. */
const maxRows = 20_000_000;
/** FlatGeobuf keeps no lists, as of elements of GML that stand twice. */
const listTypes = ['StringList', 'IntegerList', 'Integer64List', 'RealList'].map((type) => `${type}=String`).join(',');
/** Puts the files into `/input`, in one folder deep at most. */
function mountFiles({ FS, WORKERFS }: EmscriptenModule, { files }: GdalInput): void {
  const descriptors = new Map<string, number>();
  WORKERFS.reader = {
    readAsArrayBuffer({ path: place, start, size }) {
      const descriptor = descriptors.get(place) ?? fs.openSync(place, 'r');
      descriptors.set(place, descriptor);
      const bytes = new Uint8Array(size);
      return bytes.buffer.slice(0, fs.readSync(descriptor, bytes, 0, size, start));
    },
  };
  const mount = () => {
    const root = WORKERFS.createNode(null, '/', WORKERFS.DIR_MODE, 0);
    const folders = new Map([['.', root]]);
    for (const file of files) {
      const folder = path.posix.dirname(file.name);
      const parent = folders.get(folder) ?? WORKERFS.createNode(root, folder, WORKERFS.DIR_MODE, 0);
      folders.set(folder, parent);
      WORKERFS.createNode(parent, path.posix.basename(file.name), WORKERFS.FILE_MODE, 0, sliced(file.path));
    }
    return root;
  };
  FS.mount({ mount }, {}, '/input');
}

function sliced(place: string): SlicedFile {
  const { size } = fs.statSync(place);
  return { size, slice: (start, end) => ({ path: place, start, size: Math.max(Math.min(end, size) - start, 0) }) };
}

function openDataset(gdal: Gdal, { open, driver, label }: GdalInput): Dataset {
  const dataset = openWith(gdal, `/input/${open}`, driver, 'vector');
  if (dataset) return { ...dataset, path: open };
  throw new Refusal(`expected a ${label}, found something else or a damaged one${said()}`);
}

const isSpatial = ({ geometryFields = [] }: LayerInfo): boolean =>
  geometryFields.length > 0 && geometryFields[0]?.type !== 'None';

async function convert(input: GdalInput): Promise<GdalResult> {
  const gdal = await startGdal(input.config, input.destination);
  mountFiles(gdal.Module, input);
  const dataset = openDataset(gdal, input);
  const found = (await listLayers(gdal, dataset)).filter(isSpatial);
  const layers: GdalLayer[] = [];
  for (const [index, layer] of found.entries()) {
    const isWanted =
      input.layer === null ? found.length === 1 || input.sampleRows !== null : layer.name === input.layer;
    const file = isWanted && index < maxSampledLayers ? await write(gdal, dataset, layer, index, input) : null;
    layers.push({ name: layer.name, rowCount: layer.featureCount, file });
  }
  return { layers };
}

async function listLayers(gdal: Gdal, dataset: Dataset): Promise<readonly LayerInfo[]> {
  try {
    return (await gdal.ogrinfo(dataset)).layers ?? [];
  } catch (error) {
    throw new Refusal(`its layers cannot be read${said() || ` (${wordsOf(error)})`}`);
  }
}

/** gdal3.js throws plain objects. */
const wordsOf = (error: unknown): string => (error as { message?: string }).message ?? String(error);

async function write(gdal: Gdal, dataset: Dataset, layer: LayerInfo, index: number, input: GdalInput): Promise<string> {
  const limit = input.sampleRows === null ? [] : ['-limit', String(input.sampleRows)];
  if (layer.featureCount > maxRows) throw new Refusal(`expected at most ${maxRows} rows, found ${layer.featureCount}`);
  const form = ['-f', 'FlatGeobuf', '-lco', 'SPATIAL_INDEX=NO', '-mapFieldType', listTypes];
  const shapes = ['-nlt', 'CONVERT_TO_LINEAR', '-nlt', 'PROMOTE_TO_MULTI'];
  const damage = (words: string) => new Refusal(`the layer ${JSON.stringify(layer.name)} cannot be read${words}`);
  try {
    const { real } = await gdal.ogr2ogr(dataset, [...form, ...shapes, ...limit, layer.name], `layer${index}`);
    if (errors().length === 0 && fs.statSync(real).size > 0) return real;
  } catch (error) {
    throw damage(said() || ` (${wordsOf(error)})`);
  }
  throw damage(said());
}

/** What GDAL could not read; warnings are about what it does not write. */
const errors = (): string[] => messages.filter((message) => /^ERROR \d/.test(message));

/** The first error, without the path of GDAL's own source. */
function said(): string {
  const [first = messages.at(-1)] = errors();
  return first === undefined ? '' : ` (${first.replace(/\/\S*\/gdal-[\d.]+\/\S+, \d+: /, '').slice(0, 200)})`;
}

await answerJob(convert);
