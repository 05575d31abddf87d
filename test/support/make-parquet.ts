/** GeoParquet files of GeoJSON features, written by hyparquet-writer alone: the reader's inputs do not come from our exports. */
import fs from 'node:fs';
import zlib from 'node:zlib';
import type { CompressionCodec, KeyValue, SchemaElement } from 'hyparquet';
import { ByteWriter, geojsonToWkb, ParquetWriter } from 'hyparquet-writer';

export interface ParquetFeature {
  readonly geometry: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface ParquetStyle {
  readonly codec?: CompressionCodec;
  readonly groupRows?: number;
  readonly pageSize?: number;
  /** Columns without statistics; true: none has any. */
  readonly withoutStatistics?: true;
  /** The file's `geo` text; null: none. */
  readonly geo?: unknown;
  /** Bytes of the geometry column, in place of bytes that `geo` names. */
  readonly native?: string;
  /** Types of columns that are no text. */
  readonly types?: Readonly<Record<string, Omit<SchemaElement, 'name'>>>;
}

const compressors = {
  ZSTD: (bytes: Uint8Array) => zlib.zstdCompressSync(bytes),
  GZIP: (bytes: Uint8Array) => zlib.gzipSync(bytes),
  BROTLI: (bytes: Uint8Array) => zlib.brotliCompressSync(bytes),
  // Its bytes are never read: the format is refused.
  LZ4_RAW: (bytes: Uint8Array) => bytes,
};

export const usualGeo = {
  version: '1.1.0',
  primary_column: 'geometry',
  columns: { geometry: { encoding: 'WKB', geometry_types: [] } },
};

export function writeParquet(file: string, features: readonly ParquetFeature[], style: ParquetStyle = {}): string {
  const { codec = 'ZSTD', groupRows = 1000, pageSize = 1_000_000, geo = usualGeo, native, types = {} } = style;
  const names = [...new Set(features.flatMap(({ properties }) => Object.keys(properties)))];
  const elements: SchemaElement[] = names.map((name) => ({
    name,
    repetition_type: 'OPTIONAL',
    ...(types[name] ?? { type: 'BYTE_ARRAY', converted_type: 'UTF8' }),
  }));
  const shape: SchemaElement = {
    name: 'geometry',
    type: 'BYTE_ARRAY',
    repetition_type: 'OPTIONAL',
    ...(native !== undefined && { logical_type: { type: 'GEOMETRY', crs: native } }),
  };
  const writer = new ByteWriter();
  const kvMetadata: KeyValue[] = geo === null ? [] : [{ key: 'geo', value: JSON.stringify(geo) }];
  const parquet = new ParquetWriter({
    writer,
    schema: [{ name: 'root', num_children: names.length + 1 }, shape, ...elements],
    codec,
    compressors,
    kvMetadata,
    statistics: !style.withoutStatistics,
  });
  const shapes = features.map(({ geometry }) =>
    geometry === null || native !== undefined ? geometry : geojsonToWkb(geometry as never),
  );
  const columnData = [
    { name: 'geometry', data: shapes },
    ...names.map((name) => ({ name, data: features.map(({ properties }) => properties[name] ?? null) })),
  ];
  void parquet.write({ columnData, rowGroupSize: groupRows, pageSize });
  void parquet.finish();
  fs.writeFileSync(file, writer.getBytes());
  return file;
}
