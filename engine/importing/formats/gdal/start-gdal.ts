/** Starts GDAL compiled to WebAssembly: its memory is its own, and goes with the thread that starts it. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** What of gdal3.js is used; its own types are of another time. */
export interface Gdal {
  readonly Module: EmscriptenModule;
  ogrinfo(dataset: Dataset): Promise<{ readonly layers?: readonly LayerInfo[] }>;
  ogr2ogr(dataset: Dataset, options: string[], name: string): Promise<{ real: string }>;
  gdal_translate(dataset: Dataset, options: string[], name: string): Promise<{ local: string }>;
  close(dataset: Dataset): Promise<unknown>;
}

export interface EmscriptenModule {
  readonly FS: {
    mount(type: { mount(): FileNode }, options: object, place: string): void;
    writeFile(place: string, bytes: Uint8Array): void;
    readFile(place: string): Uint8Array;
    unlink(place: string): void;
    analyzePath(place: string): { readonly exists: boolean };
  };
  readonly WORKERFS: WorkerFiles;
  ccall(name: string, returns: 'number', types: readonly string[], values: readonly unknown[]): number;
  setValue(at: number, value: number, type: 'i32'): void;
  lengthBytesUTF8(text: string): number;
  stringToUTF8(text: string, at: number, bytes: number): void;
  _malloc(bytes: number): number;
}

/** Emscripten's file system of given files, which cannot be written to. */
export interface WorkerFiles {
  reader: { readAsArrayBuffer(part: FilePart): ArrayBuffer };
  readonly DIR_MODE: number;
  readonly FILE_MODE: number;
  createNode(parent: FileNode | null, name: string, mode: number, device: 0, contents?: SlicedFile): FileNode;
}

export interface FileNode {
  readonly contents: unknown;
}

export interface SlicedFile {
  readonly size: number;
  slice(start: number, end: number): FilePart;
}

interface FilePart {
  readonly path: string;
  readonly start: number;
  readonly size: number;
}

export interface Dataset {
  readonly pointer: number;
  readonly path: string;
  readonly type: string;
}

export interface LayerInfo {
  readonly name: string;
  readonly featureCount: number;
  readonly geometryFields?: readonly { readonly type: string }[];
}

type InitGdal = (config: Record<string, unknown>) => Promise<Gdal>;

/** Degrees between two vertices of an arc: by itself GDAL takes 4, half a meter off at a radius of 800 m. */
const arcs = { OGR_ARC_STEPSIZE: '0.5' };

/** What GDAL said since the thread began. */
export const messages: string[] = [];

/** @param destination a folder for what GDAL writes; absent: its own memory */
export async function startGdal(config: Readonly<Record<string, string>>, destination?: string): Promise<Gdal> {
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
    ...(destination !== undefined && { dest: destination }),
    env: { ...arcs, ...config },
    logHandler: () => {},
    errorHandler: (message: string) => messages.push(message),
  });
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

/** GDAL_OF_RASTER, GDAL_OF_VECTOR, each with GDAL_OF_VERBOSE_ERROR. */
const openFlags = { raster: 0x02 | 0x40, vector: 0x04 | 0x40 } as const;

/** Opens a file with one driver and no other. Null: it cannot be read. */
export function openWith(
  { Module }: Gdal,
  place: string,
  driver: string,
  type: keyof typeof openFlags,
): Dataset | null {
  const types = ['string', 'number', 'number', 'number', 'number'];
  const values = [place, openFlags[type], textList(Module, [driver]), 0, 0];
  const pointer = Module.ccall('GDALOpenEx', 'number', types, values);
  return pointer === 0 ? null : { pointer, path: place, type };
}
