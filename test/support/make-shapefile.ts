/** Shapefiles by their published layout (ESRI, July 1998), as buffers that a test may damage. */
import fs from 'node:fs';
import path from 'node:path';

type Position = readonly [number, number];

export interface ShapeRow {
  /** Rings of a polygon, a point, or nothing. */
  readonly shape: readonly (readonly Position[])[] | Position | null;
  readonly values: readonly string[];
  readonly isDeleted?: boolean;
}

export interface Shapefile {
  shp: Buffer;
  shx: Buffer;
  dbf: Buffer;
  prj: Buffer;
  cpg: Buffer;
}

export interface ShapefileOptions {
  /** 5 polygon, 15 with Z, 25 with M, 1 point, 11 point Z … */
  readonly type?: number;
  readonly columns: readonly { readonly name: string; readonly type?: string; readonly length?: number }[];
  readonly prj?: string;
  readonly cpg?: string;
  readonly encoding?: BufferEncoding;
}

const isPoint = (shape: ShapeRow['shape']): shape is Position => shape !== null && typeof shape[0] === 'number';

function doubles(values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 8);
  for (const [index, value] of values.entries()) buffer.writeDoubleLE(value, index * 8);
  return buffer;
}

function ints(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeInt32LE(value, index * 4);
  return buffer;
}

function content(shape: ShapeRow['shape'], type: number): Buffer {
  if (shape === null) return ints(0);
  const extra = Math.floor(type / 10);
  if (isPoint(shape))
    return Buffer.concat([ints(1 + 10 * extra), doubles([...shape, ...[7, 8].slice(0, extra === 1 ? 2 : extra / 2)])]);
  const points = shape.flat();
  const starts: number[] = [];
  let start = 0;
  for (const ring of shape) {
    starts.push(start);
    start += ring.length;
  }
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const heights = [0, 9, ...points.map(() => 9)];
  const more = extra === 1 ? [...heights, ...heights] : extra === 2 ? heights : [];
  return Buffer.concat([
    ints(type),
    doubles(box),
    ints(shape.length, points.length, ...starts),
    doubles(points.flat()),
    doubles(more),
  ]);
}

function header(type: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(100);
  buffer.writeInt32BE(9994, 0);
  buffer.writeInt32BE(bytes / 2, 24);
  buffer.writeInt32LE(1000, 28);
  buffer.writeInt32LE(type, 32);
  for (const [index, value] of [-180, -90, 180, 90].entries()) buffer.writeDoubleLE(value, 36 + index * 8);
  return buffer;
}

export function makeShapefile(rows: readonly ShapeRow[], options: ShapefileOptions): Shapefile {
  const { type = 5, columns, prj = '', cpg = 'UTF-8', encoding = 'utf8' } = options;
  const records = rows.map(({ shape }) => content(shape, type));
  let offset = 100;
  const index = Buffer.alloc(records.length * 8);
  const body = records.map((record, row) => {
    const head = Buffer.alloc(8);
    head.writeInt32BE(row + 1, 0);
    head.writeInt32BE(record.length / 2, 4);
    index.writeInt32BE(offset / 2, row * 8);
    index.writeInt32BE(record.length / 2, row * 8 + 4);
    offset += 8 + record.length;
    return Buffer.concat([head, record]);
  });
  return {
    shp: Buffer.concat([header(type, offset), ...body]),
    shx: Buffer.concat([header(type, 100 + index.length), index]),
    dbf: makeDbf(rows, columns, encoding),
    prj: Buffer.from(prj),
    cpg: Buffer.from(cpg),
  };
}

function makeDbf(rows: readonly ShapeRow[], columns: ShapefileOptions['columns'], encoding: BufferEncoding): Buffer {
  const widths = columns.map(({ length = 20 }) => length);
  const rowBytes = 1 + widths.reduce((sum, width) => sum + width, 0);
  const head = Buffer.alloc(32 + 32 * columns.length + 1);
  head.set([3, 126, 7, 9]);
  head.writeUInt32LE(rows.length, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(rowBytes, 10);
  for (const [index, { name, type = 'C' }] of columns.entries()) {
    head.write(name, 32 + 32 * index, 'latin1');
    head.write(type, 43 + 32 * index, 'latin1');
    head.writeUInt8(widths[index] ?? 20, 48 + 32 * index);
  }
  head.writeUInt8(0x0d, head.length - 1);
  const body = rows.map(({ values, isDeleted }) => {
    const cells = values.map((value, index) => {
      const cell = Buffer.alloc(widths[index] ?? 20, ' ');
      cell.write(value, encoding);
      return cell;
    });
    return Buffer.concat([Buffer.from(isDeleted ? '*' : ' '), ...cells]);
  });
  return Buffer.concat([head, ...body, Buffer.from([0x1a])]);
}

/** Writes the parts that are not empty; returns the path of the .shp. */
export function writeShapefile(folder: string, name: string, files: Partial<Shapefile>): string {
  for (const [ending, bytes] of Object.entries(files)) {
    if (bytes.length > 0) fs.writeFileSync(path.join(folder, `${name}.${ending}`), bytes);
  }
  return path.join(folder, `${name}.shp`);
}
