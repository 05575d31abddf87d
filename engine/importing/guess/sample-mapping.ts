/** Applies a mapping to the first rows of a file, so that a person who edits a proposal sees the result. */
import { parcelColumnsByName } from '../../spec/parcel-columns.ts';
import type { ReadOptions } from '../formats/parcel-source.ts';
import { openTableFile } from '../formats/table-file.ts';
import { type Mapping, parseMapping } from '../mapping/mapping.ts';
import { converterFor, textOf } from '../values/convert-value.ts';
import { sampleReader } from './guess-mapping.ts';
import { type ParcelSample, sampleParcels } from './guess-sample.ts';
import { firstSaying, joinedSample } from './propose-mapping.ts';

export interface MappedColumn {
  readonly column: string;
  readonly label: string;
  /** The first value that converts, as in the file, and its converted form. */
  readonly sample: string | null;
  readonly after: string | null;
}

export interface MappingSample {
  readonly columns: readonly MappedColumn[];
  /** The first row with an APN, as it will be stored; null: unknown. */
  readonly first: Readonly<Record<string, string | number | null>>;
  /** Acres of that row's shape; null without one. */
  readonly calculated_acres: number | null;
  /** Share of the first rows that find a row of the table; null without one. */
  readonly joined: number | null;
}

export interface SampleMappingOptions {
  readonly file: string;
  readonly mapping: Readonly<Record<string, unknown>>;
  readonly joinFile?: string;
  readonly reading?: ReadOptions;
}

/** @throws EngineError mapping_invalid; like the readers import_refused, file_missing, file_damaged */
export function sampleMapping({ file, mapping: given, joinFile, reading }: SampleMappingOptions): MappingSample {
  const mapping = parseMapping(given, 'shown');
  const plain = sampleParcels(file, reading);
  const table = joinFile === undefined ? null : openTableFile(joinFile);
  const joined = table && mapping.join ? joinedSample(plain, table, mapping.join) : null;
  const sample = joined?.sample ?? plain;
  const read = sampleReader(sample);
  const columns = Object.entries(mapping.columns).map(([name, expression]): MappedColumn => {
    const column = parcelColumnsByName.get(name);
    if (!column) throw new Error(`no column ${name}`);
    return { column: name, label: column.label, ...firstSaying(column, expression, sample, read) };
  });
  return { columns, ...firstRow(mapping, sample), joined: joined?.share ?? null };
}

function firstRow(mapping: Mapping, sample: ParcelSample): Pick<MappingSample, 'first' | 'calculated_acres'> {
  const read = sampleReader(sample);
  const apn = mapping.columns.apn === undefined ? null : read(mapping.columns.apn);
  const found = apn ? sample.rows.findIndex((row) => textOf(apn(row)) !== null) : 0;
  const row = sample.rows[Math.max(0, found)];
  if (!row) return { first: {}, calculated_acres: null };
  const values = Object.entries(mapping.columns).map(([name, expression]) => {
    const column = parcelColumnsByName.get(name);
    const convert = column && converterFor(column, typeof expression === 'string' ? {} : expression);
    return [name, convert?.(read(expression)(row), { reason: null }) ?? null] as const;
  });
  const acres = sample.acres[Math.max(0, found)] ?? null;
  return { first: Object.fromEntries(values), calculated_acres: acres === null ? null : Math.round(acres * 100) / 100 };
}
