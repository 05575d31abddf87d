/**
 * Formats that the shipped GDAL reads, by GDAL compiled to WebAssembly: its memory is its own, and goes with this thread. The layers
 * are listed, and those that are asked for written as FlatGeobuf, which is read like any other. Arcs become short straight edges, as GDAL
 * draws them. GDAL sees the files that it is given and no others, cannot write beside them, and opens them with one driver.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { answerJob, Refusal } from '../bytes/answer-job.ts';
import type { GdalInput, GdalLayer, GdalResult } from './gdal-reader.ts';

/** What of gdal3.js is used; its own types are of another time. */
interface Gdal {
  readonly Module: EmscriptenModule;
  ogrinfo(dataset: Dataset): Promise<{ readonly layers?: readonly LayerInfo[] }>;
  ogr2ogr(dataset: Dataset, options: string[], name: string): Promise<{ real: string }>;
}

interface EmscriptenModule {
  readonly FS: { mount(type: { mount(): FileNode }, options: object, place: string): void };
  readonly WORKERFS: WorkerFiles;
  ccall(name: string, returns: 'number', types: readonly string[], values: readonly unknown[]): number;
  setValue(at: number, value: number, type: 'i32'): void;
  lengthBytesUTF8(text: string): number;
  stringToUTF8(text: string, at: number, bytes: number): void;
  _malloc(bytes: number): number;
}

/** Emscripten's file system of given files, which cannot be written to. */
interface WorkerFiles {
  reader: { readAsArrayBuffer(part: FilePart): ArrayBuffer };
  readonly DIR_MODE: number;
  readonly FILE_MODE: number;
  createNode(parent: FileNode | null, name: string, mode: number, device: 0, contents?: SlicedFile): FileNode;
}

interface FileNode {
  readonly contents: unknown;
}

interface SlicedFile {
  readonly size: number;
  slice(start: number, end: number): FilePart;
}

interface FilePart {
  readonly path: string;
  readonly start: number;
  readonly size: number;
}

interface Dataset {
  readonly pointer: number;
  readonly path: string;
}

interface LayerInfo {
  readonly name: string;
  readonly featureCount: number;
  readonly geometryFields?: readonly { readonly type: string }[];
}

type InitGdal = (config: Record<string, unknown>) => Promise<Gdal>;

/** Layers that are sampled of one file. */
const maxSampledLayers = 20;
/** More than a state has: such a count fills the disk. */
const maxRows = 20_000_000;
/** FlatGeobuf keeps no lists, as of elements of GML that stand twice. */
const listTypes = ['StringList', 'IntegerList', 'Integer64List', 'RealList'].map((type) => `${type}=String`).join(',');
/** GDAL_OF_VECTOR and GDAL_OF_VERBOSE_ERROR. */
const openFlags = 0x04 | 0x40;

/** Degrees between two vertices of an arc: by itself GDAL takes 4, half a meter off at a radius of 800 m. */
const arcs = { OGR_ARC_STEPSIZE: '0.5' };

const messages: string[] = [];

async function startGdal({ destination, config }: GdalInput): Promise<Gdal> {
  const library = createRequire(import.meta.url).resolve('gdal3.js/dist/package/gdal3.node.js');
  // It opens its data file as `./` and the path that it was given, whether that begins at the root or not.
  const read = fs.readFileSync;
  const patched = (file: unknown, ...rest: unknown[]) => {
    const isRooted = typeof file === 'string' && file.startsWith('./') && path.isAbsolute(file.slice(2));
    return (read as (...all: unknown[]) => unknown)(isRooted ? file.slice(2) : file, ...rest);
  };
  fs.readFileSync = patched as typeof fs.readFileSync;
  const init = createRequire(import.meta.url)(library) as InitGdal;
  return init({
    path: path.dirname(library),
    dest: destination,
    env: { ...arcs, ...config },
    logHandler: () => {},
    errorHandler: (message: string) => messages.push(message),
  });
}

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

/** A list of texts as C has them, its end marked by a zero. */
function textList(module: EmscriptenModule, texts: readonly string[]): number {
  const places = texts.map((text) => {
    const bytes = module.lengthBytesUTF8(text) + 1;
    const at = module._malloc(bytes);
    module.stringToUTF8(text, at, bytes);
    return at;
  });
  const list = module._malloc(4 * (places.length + 1));
  for (const [index, at] of [...places, 0].entries()) module.setValue(list + 4 * index, at, 'i32');
  return list;
}

function openDataset({ Module }: Gdal, { open, driver, label }: GdalInput): Dataset {
  const types = ['string', 'number', 'number', 'number', 'number'];
  const values = [`/input/${open}`, openFlags, textList(Module, [driver]), 0, 0];
  const pointer = Module.ccall('GDALOpenEx', 'number', types, values);
  if (pointer !== 0) return { pointer, path: open };
  throw new Refusal(`expected a ${label}, found something else or a damaged one${said()}`);
}

const isSpatial = ({ geometryFields = [] }: LayerInfo): boolean =>
  geometryFields.length > 0 && geometryFields[0]?.type !== 'None';

async function convert(input: GdalInput): Promise<GdalResult> {
  const gdal = await startGdal(input);
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
