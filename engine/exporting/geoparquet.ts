/**
 * Writes GeoParquet 1.1 (https://geoparquet.org/releases/v1.1.0/), packed with zstd: WKB in longitude and latitude, and a
 * box for each row, by whose statistics readers pass over row groups. Rows are sorted by county, then along a Hilbert
 * curve; a row group never holds two counties. A parcel that has only a point keeps it.
 */
import type { ColumnChunk, ParquetType, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { roundDown, roundUp } from '../geo/float-bounds.ts';
import { type Bounds, boundsOfMultiPolygon, unionOfBounds } from '../geo/geometry.ts';
import type { ExportColumn, ValueKind } from './export-columns.ts';
import { type ExportRow, type ExportSource, headingOf } from './export-source.ts';
import { type Sink, withFile } from './file-sink.ts';
import { BytesColumn, type Chunk, type KeptColumn, keptColumn, keptFloats } from './parquet-columns.ts';
import { writeChunk } from './parquet-pages.ts';
import { multiPolygonWkb, pointWkb } from './wkb.ts';

/** Small enough for a reader to take a town out of a nation, large enough to pack well. */
const groupRows = 10_000;
const [geometry, box] = ['geometry', 'bbox'];
const sides = ['xmin', 'ymin', 'xmax', 'ymax'] as const;
const elements: Readonly<Record<ValueKind, Omit<SchemaElement, 'name'> & { readonly type: ParquetType }>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  boolean: { type: 'BOOLEAN' },
};

/** Longitude and latitude in WGS84, as the standard describes it. */
const crs84 = {
  $schema: 'https://proj.org/schemas/v0.7/projjson.schema.json',
  type: 'GeographicCRS',
  name: 'WGS 84 (CRS84)',
  datum: {
    type: 'GeodeticReferenceFrame',
    name: 'World Geodetic System 1984',
    ellipsoid: { name: 'WGS 84', semi_major_axis: 6378137, inverse_flattening: 298.257223563 },
  },
  coordinate_system: {
    subtype: 'ellipsoidal',
    axis: [
      { name: 'Geodetic longitude', abbreviation: 'Lon', direction: 'east', unit: 'degree' },
      { name: 'Geodetic latitude', abbreviation: 'Lat', direction: 'north', unit: 'degree' },
    ],
  },
  id: { authority: 'OGC', code: 'CRS84' },
};

const schemaOf = (columns: readonly ExportColumn[]): SchemaElement[] => [
  { name: 'parcels', num_children: columns.length + 2 },
  ...columns.map(({ name, kind }): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...elements[kind] })),
  { name: geometry, type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
  { name: box, repetition_type: 'OPTIONAL', num_children: sides.length },
  ...sides.map((name): SchemaElement => ({ name, type: 'FLOAT', repetition_type: 'REQUIRED' })),
];

function boundsOf({ shape, point }: ExportRow): Bounds | null {
  if (shape) return boundsOfMultiPolygon(shape);
  return point && { minX: point[0], maxX: point[0], minY: point[1], maxY: point[1] };
}

/** Rounded outwards: the box always covers the shape. */
const boxOf = (bounds: Bounds | null) =>
  bounds && {
    xmin: roundDown(bounds.minX),
    ymin: roundDown(bounds.minY),
    xmax: roundUp(bounds.maxX),
    ymax: roundUp(bounds.maxY),
  };

const wkbOf = ({ shape, point }: ExportRow): Buffer | null =>
  shape ? multiPolygonWkb(shape) : point && pointWkb(point);

class GroupWriter {
  readonly #source: ExportSource;
  readonly #sink: Sink;
  readonly #bytes = new ByteWriter();
  readonly #parquet: ParquetWriter;
  readonly #types = new Set<string>();
  readonly #columns: readonly KeptColumn[];
  readonly #geometries = new BytesColumn(groupRows);
  readonly #boxes = sides.map(() => keptFloats(groupRows));
  #rows = 0;
  #bounds: Bounds | null = null;
  #fips: unknown = null;
  /** Values that the type of their column cannot hold, by column. */
  readonly losses = new Map<string, number>();
  shapeless = 0;

  constructor(source: ExportSource, sink: Sink) {
    this.#source = source;
    this.#columns = source.columns.map(({ kind }) => keptColumn(kind, groupRows));
    this.#sink = sink;
    this.#parquet = new ParquetWriter({
      writer: this.#bytes,
      schema: schemaOf(source.columns),
      createdBy: 'Platbook',
    });
  }

  /** Whether a row of the county needs a group of its own. */
  endsBefore({ fips }: ExportRow): boolean {
    return this.#rows === groupRows || (this.#rows > 0 && this.#fips !== fips);
  }

  add(row: ExportRow): void {
    for (let place = 0; place < this.#columns.length; place++) {
      if (this.#columns[place]?.add(row.values[place] ?? null)) continue;
      const { name } = this.#source.columns[place] as ExportColumn;
      this.losses.set(name, (this.losses.get(name) ?? 0) + 1);
    }
    const bounds = boundsOf(row);
    this.#bounds = unionOfBounds([this.#bounds, bounds]);
    if (bounds === null) this.shapeless++;
    else this.#types.add(row.shape ? 'MultiPolygon' : 'Point');
    this.#geometries.add(wkbOf(row));
    const corners = boxOf(bounds);
    for (const [place, side] of sides.entries()) this.#boxes[place]?.add(corners?.[side] ?? null);
    this.#rows++;
    this.#fips = row.fips;
  }

  async writeGroup(): Promise<void> {
    if (this.#rows === 0) return;
    const start = this.#bytes.offset;
    const write = (
      path: readonly string[],
      type: ParquetType,
      column: { chunk(): Chunk; clear(): void },
    ): ColumnChunk => {
      const chunk = writeChunk(this.#bytes, path, type, column.chunk());
      column.clear();
      return chunk;
    };
    const columns = [
      ...this.#columns.map((column, place) => {
        const { name, kind } = this.#source.columns[place] as ExportColumn;
        return write([name], elements[kind].type, column);
      }),
      write([geometry], 'BYTE_ARRAY', this.#geometries),
      ...sides.map((side, place) => write([box, side], 'FLOAT', this.#boxes[place] as KeptColumn)),
    ];
    const unpacked = columns.reduce((sum, { meta_data: data }) => sum + (data?.total_uncompressed_size ?? 0n), 0n);
    const rows = BigInt(this.#rows);
    this.#parquet.num_rows += rows;
    this.#parquet.row_groups.push({
      columns,
      num_rows: rows,
      total_byte_size: unpacked,
      total_compressed_size: BigInt(this.#bytes.offset - start),
    });
    this.#rows = 0;
    await this.#flush();
  }

  async finish(): Promise<void> {
    const { title, madeAt, sources, columns } = this.#source;
    const { minX, minY, maxX, maxY } = this.#bounds ?? {};
    const covering = { bbox: Object.fromEntries(sides.map((side) => [side, [box, side]])) };
    const column = {
      ...{ encoding: 'WKB', geometry_types: [...this.#types].sort(), crs: crs84, covering },
      ...(this.#bounds && { bbox: [minX, minY, maxX, maxY] }),
    };
    const geo = { version: '1.1.0', primary_column: geometry, columns: { [geometry]: column } };
    const about = columns.map((each) => ({ name: each.name, heading: headingOf(each), docs: each.docs }));
    this.#parquet.kvMetadata = [
      { key: 'geo', value: JSON.stringify(geo) },
      { key: 'platbook', value: JSON.stringify({ title, made_at: madeAt.toISOString(), sources, columns: about }) },
    ];
    await this.#parquet.finish();
    await this.#flush();
  }

  async #flush(): Promise<void> {
    this.#sink.put(this.#bytes.getBytes().slice());
    this.#bytes.index = 0;
    await this.#sink.flush();
  }
}

export const writeGeoParquet = (source: ExportSource, filePath: string): Promise<string[]> =>
  withFile(filePath, (sink) => writeGeoParquetTo(source, sink));

export const sortedByPlaceNote =
  'GeoParquet is sorted by place, so that readers pass over what lies elsewhere: the order asked for is not kept.';

/** @returns sentences about losses */
export async function writeGeoParquetTo(source: ExportSource, sink: Sink): Promise<string[]> {
  const writer = new GroupWriter(source, sink);
  for await (const rows of source.batches({ byPlace: true })) {
    for (const row of rows) {
      if (writer.endsBefore(row)) await writer.writeGroup();
      writer.add(row);
    }
  }
  await writer.writeGroup();
  await writer.finish();
  const lost = [...writer.losses].map(
    ([name, count]) => `${count} values of ${name} do not fit its type and are left out.`,
  );
  const { shapeless } = writer;
  return [
    ...lost,
    ...(shapeless === 0 ? [] : [`${shapeless} of ${source.count} parcels have no place; their rows have no shape.`]),
    ...(source.isOrdered ? [sortedByPlaceNote] : []),
  ];
}
