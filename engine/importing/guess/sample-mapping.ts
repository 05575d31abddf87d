/** Applies a mapping to the first rows of a file, so that a person who edits a proposal sees the result. */
import { parcelColumnsByName } from '../../spec/parcel-columns.ts';
import { joinsOf } from '../../spec/table-names.ts';
import type { ReadOptions } from '../formats/parcel-source.ts';
import { openTableFile } from '../formats/table-file.ts';
import { type Mapping, parseMapping } from '../mapping/mapping.ts';
import { converterFor, textOf } from '../values/convert-value.ts';
import { sampleReader } from './guess-mapping.ts';
import { type ParcelSample, sampleParcels } from './guess-sample.ts';
import { type ColumnSample, joinTables, type ProposedJoin, sampleColumn } from './propose-mapping.ts';

interface MappedColumn extends ColumnSample {
  readonly column: string;
  readonly label: string;
}

export interface MappingSample {
  readonly columns: readonly MappedColumn[];
  /** The first row with an APN, as it will be stored; null: unknown. */
  readonly first: Readonly<Record<string, string | number | null>>;
  /** Acres of that row's shape; null without one. */
  readonly calculated_acres: number | null;
  readonly joins: readonly ProposedJoin[];
}

interface SampleMappingOptions {
  readonly file: string;
  readonly mapping: Readonly<Record<string, unknown>>;
  readonly joinFiles?: readonly string[];
  readonly reading?: ReadOptions;
}

/** @throws EngineError mapping_invalid; like the readers import_refused, file_missing, file_damaged */
export function sampleMapping({ file, mapping: given, joinFiles = [], reading }: SampleMappingOptions): MappingSample {
  const mapping = parseMapping(given, 'shown');
  const tables = joinFiles.map((one) => openTableFile(one, reading));
  const { sample, joins } = joinTables(sampleParcels(file, reading), tables, joinsOf(mapping));
  const read = sampleReader(sample);
  const columns = Object.entries(mapping.columns).map(([name, expression]): MappedColumn => {
    const column = parcelColumnsByName.get(name);
    if (!column) throw new Error(`no column ${name}`);
    return { column: name, label: column.label, ...sampleColumn(column, expression, sample, read) };
  });
  return { columns, ...firstRow(mapping, sample), joins };
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
