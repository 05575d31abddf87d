/**
 * File Geodatabases, by GDAL compiled to WebAssembly: its memory is its own, and goes with this thread. The layers are listed,
 * and those that are asked for written as FlatGeobuf, which is read like any other. Arcs become short straight edges, as GDAL draws them.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { answerJob, Refusal } from '../bytes/answer-job.ts';
import type { GdalInput, GdalLayer, GdalResult } from './file-geodatabase-reader.ts';

/** What of gdal3.js is used; its own types are of another time. */
interface Gdal {
  open(file: string): Promise<{ datasets: Dataset[]; errors: { message?: string }[] }>;
  ogr2ogr(dataset: Dataset, options: string[], name: string): Promise<{ real: string }>;
}

interface Dataset {
  readonly info: { readonly driverShortName: string; readonly layers?: readonly LayerInfo[] };
}

interface LayerInfo {
  readonly name: string;
  readonly featureCount: number;
  readonly geometryFields?: readonly { readonly type: string }[];
}

type InitGdal = (config: Record<string, unknown>) => Promise<Gdal>;

/** Layers that are sampled of one geodatabase. */
const maxSampledLayers = 20;

const lastErrors: string[] = [];

async function startGdal(destination: string): Promise<Gdal> {
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
    logHandler: () => {},
    errorHandler: (message: string) => lastErrors.push(message),
  });
}

const isSpatial = ({ geometryFields = [] }: LayerInfo): boolean =>
  geometryFields.length > 0 && geometryFields[0]?.type !== 'None';

async function convert(input: GdalInput): Promise<GdalResult> {
  const gdal = await startGdal(input.destination);
  const { datasets } = await gdal.open(input.folder.replaceAll('\\', '/'));
  const [dataset] = datasets;
  if (dataset?.info.driverShortName !== 'OpenFileGDB') {
    throw new Refusal(`expected a File Geodatabase, found something else or a damaged one${said()}`);
  }
  const found = (dataset.info.layers ?? []).filter(isSpatial);
  const layers: GdalLayer[] = [];
  for (const [index, layer] of found.entries()) {
    const isWanted =
      input.layer === null ? found.length === 1 || input.sampleRows !== null : layer.name === input.layer;
    const file = isWanted && index < maxSampledLayers ? await write(gdal, dataset, layer, index, input) : null;
    layers.push({ name: layer.name, rowCount: layer.featureCount, file });
  }
  return { layers };
}

async function write(gdal: Gdal, dataset: Dataset, layer: LayerInfo, index: number, input: GdalInput): Promise<string> {
  const limit = input.sampleRows === null ? [] : ['-limit', String(input.sampleRows)];
  const form = [
    '-f',
    'FlatGeobuf',
    '-lco',
    'SPATIAL_INDEX=NO',
    '-nlt',
    'CONVERT_TO_LINEAR',
    '-nlt',
    'PROMOTE_TO_MULTI',
  ];
  const damage = (words: string) => new Refusal(`the layer ${JSON.stringify(layer.name)} cannot be read${words}`);
  try {
    const { real } = await gdal.ogr2ogr(dataset, [...form, ...limit, layer.name], `layer${index}`);
    if (fs.statSync(real).size > 0) return real;
  } catch (error) {
    throw damage(` (${(error as { message?: string }).message ?? String(error)})`);
  }
  throw damage(said());
}

const said = (): string => (lastErrors.length > 0 ? ` (${lastErrors.slice(-1).join('').slice(0, 200)})` : '');

await answerJob(convert);
