/**
 * Writes a Shapefile (ESRI white paper, July 1998) as one zip: .shp, .shx, .dbf in UTF-8 (.cpg), .prj, and a table of full
 * column names, since a Shapefile cuts them to ten letters. Parcels without a boundary keep their row with a null shape.
 */
import fs from 'node:fs';
import path from 'node:path';
import { boundsOfMultiPolygon, type MultiPolygon, planarRingArea, type Ring } from '../geo/geometry.ts';
import { EngineError } from '../spec/errors.ts';
import { counted } from './count-words.ts';
import { byteOrderMark } from './csv.ts';
import { type DbfField, dbfHeader, planFields, putRecord, recordBytes } from './dbf-writer.ts';
import { type ExportSource, headingOf } from './export-source.ts';
import { FileSink, type Sink, withFile } from './file-sink.ts';
import { csvCell } from './text-cells.ts';
import { ZipWriter } from './zip-writer.ts';

const polygonType = 5;
/** The format counts lengths in signed 16-bit words; readers limit a file to 2 GB. */
const maxBytes = 2 ** 31 - 1;

/** WGS84 in ESRI's WKT1, which every reader knows. */
const wgs84 =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

interface Box {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** Exteriors clockwise, holes counterclockwise: the format distinguishes them only by this. */
function pointsOf(ring: Ring, isExterior: boolean): Ring {
  if (planarRingArea(ring) < 0 === isExterior) return ring;
  const turned = new Float64Array(ring.length);
  for (let at = 0; at < ring.length; at += 2) {
    turned[at] = ring[ring.length - 2 - at] as number;
    turned[at + 1] = ring[ring.length - 1 - at] as number;
  }
  return turned;
}

function shapeBytes(shape: MultiPolygon, box: Box): Buffer {
  const rings = shape.flatMap((polygon) => polygon.map((ring, i) => pointsOf(ring, i === 0)));
  const points = rings.reduce((sum, ring) => sum + ring.length / 2, 0);
  const bytes = Buffer.alloc(44 + 4 * rings.length + 16 * points);
  const { minX, minY, maxX, maxY } = boundsOfMultiPolygon(shape);
  box.minX = Math.min(box.minX, minX);
  box.minY = Math.min(box.minY, minY);
  box.maxX = Math.max(box.maxX, maxX);
  box.maxY = Math.max(box.maxY, maxY);
  bytes.writeInt32LE(polygonType, 0);
  for (const [i, value] of [minX, minY, maxX, maxY].entries()) bytes.writeDoubleLE(value, 4 + 8 * i);
  bytes.writeInt32LE(rings.length, 36);
  bytes.writeInt32LE(points, 40);
  let first = 0;
  let at = 44 + 4 * rings.length;
  for (const [i, ring] of rings.entries()) {
    bytes.writeInt32LE(first, 44 + 4 * i);
    first += ring.length / 2;
    for (const value of ring) at = bytes.writeDoubleLE(value, at);
  }
  return bytes;
}

const noShape = Buffer.alloc(4);

function fileHeader(bytes: number, box: Box): Buffer {
  const header = Buffer.alloc(100);
  header.writeInt32BE(9994, 0);
  header.writeInt32BE(bytes / 2, 24);
  header.writeInt32LE(1000, 28);
  header.writeInt32LE(polygonType, 32);
  const isEmpty = box.minX > box.maxX;
  for (const [i, value] of [box.minX, box.minY, box.maxX, box.maxY].entries()) {
    header.writeDoubleLE(isEmpty ? 0 : value, 36 + 8 * i);
  }
  return header;
}

interface Written {
  cuts: number;
  shapeless: number;
}

/** The three files of a Shapefile while they are written. */
interface Files {
  readonly shp: FileSink;
  readonly shx: FileSink;
  readonly dbf: FileSink;
}

async function writeShapes(source: ExportSource, fields: readonly DbfField[], base: string): Promise<Written> {
  const [shp, shx, dbf] = await Promise.all([
    FileSink.create(`${base}.shp`),
    FileSink.create(`${base}.shx`),
    FileSink.create(`${base}.dbf`),
  ]);
  try {
    const written = await putRecords(source, fields, { shp, shx, dbf });
    for (const sink of [shp, shx, dbf]) await sink.finish();
    return written;
  } catch (error) {
    for (const sink of [shp, shx, dbf]) await sink.abandon();
    throw error;
  }
}

async function putRecords(
  source: ExportSource,
  fields: readonly DbfField[],
  { shp, shx, dbf }: Files,
): Promise<Written> {
  const box: Box = {
    minX: Number.POSITIVE_INFINITY,
    minY: Number.POSITIVE_INFINITY,
    maxX: Number.NEGATIVE_INFINITY,
    maxY: Number.NEGATIVE_INFINITY,
  };
  const written: Written = { cuts: 0, shapeless: 0 };
  for (const sink of [shp, shx]) sink.put(fileHeader(0, box));
  dbf.put(dbfHeader(fields, source.count, source.madeAt));
  let number = 0;
  for await (const rows of source.batches()) {
    for (const { shape, values } of rows) {
      number++;
      if (!shape) written.shapeless++;
      putShape({ shp, shx }, number, shape ? shapeBytes(shape, box) : noShape);
      written.cuts += putRecord(dbf, fields, values);
    }
    if (Math.max(shp.position, dbf.position) > maxBytes) throw tooLarge();
    await Promise.all([shp, shx, dbf].map((sink) => sink.flush()));
  }
  dbf.put(Buffer.of(0x1a));
  for (const sink of [shp, shx]) await sink.patch(0, fileHeader(sink.position, box));
  return written;
}

function putShape({ shp, shx }: Omit<Files, 'dbf'>, number: number, content: Buffer): void {
  const index = Buffer.alloc(8);
  index.writeInt32BE(shp.position / 2, 0);
  index.writeInt32BE(content.length / 2, 4);
  const head = Buffer.from(index);
  head.writeInt32BE(number, 0);
  shx.put(index);
  shp.put(head);
  shp.put(content);
}

const tooLarge = (): EngineError =>
  new EngineError('validation_error', 'A Shapefile holds 2 GB at most, and this would be more; choose GeoPackage.');

async function copyInto(sink: Sink, filePath: string): Promise<void> {
  for await (const chunk of fs.createReadStream(filePath, { highWaterMark: 256 * 1024 })) {
    sink.put(chunk as Buffer);
    await sink.flush();
  }
}

function namesTable(fields: readonly DbfField[]): string {
  const lines = fields.map(({ name, column }) => [name, column.name, headingOf(column), column.docs]);
  return `${byteOrderMark}${[['short_name', 'name', 'label', 'docs'], ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')}`;
}

export async function writeShapefile(source: ExportSource, filePath: string, folder: string): Promise<string[]> {
  const fields = await planFields(source);
  if (recordBytes(fields) > 65_535 || fields.length > 255) {
    throw new EngineError(
      'validation_error',
      'A Shapefile holds 255 columns and 65,535 bytes a row at most; choose fewer columns.',
    );
  }
  const base = path.join(folder, 'parcels');
  const { cuts, shapeless } = await writeShapes(source, fields, base);
  await withFile(filePath, async (file) => {
    const zip = new ZipWriter(file, source.madeAt);
    for (const ending of ['shp', 'shx', 'dbf']) {
      await zip.add(`parcels.${ending}`, (sink) => copyInto(sink, `${base}.${ending}`), { level: 3 });
    }
    await zip.add('parcels.prj', async (sink) => sink.put(wgs84));
    await zip.add('parcels.cpg', async (sink) => sink.put('UTF-8'));
    await zip.add('parcels-columns.csv', async (sink) => sink.put(namesTable(fields)));
    await zip.finish();
  });
  const renamed = fields.filter(({ name, column }) => name !== column.name).length;
  return [
    ...(renamed > 0
      ? [`${counted(renamed, 'name')} cut to 10 letters; parcels-columns.csv in the zip has them in full.`]
      : []),
    ...(cuts > 0 ? [`${counted(cuts, 'text')} cut to 254 bytes, the format's limit.`] : []),
    ...(shapeless > 0 ? [`${shapeless} of ${source.count} parcels have no boundary; their rows have no shape.`] : []),
  ];
}
