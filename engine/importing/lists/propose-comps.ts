/**
 * Proposes how to read a file of listings or sales: by a profile, by headings and values, and by a person's choices.
 */
import path from 'node:path';
import { type CompColumn, compColumns, compColumnsByName } from '../../comps/comp-columns.ts';
import { leftOutWords } from '../../spec/comp-import-lines.ts';
import { formatDate } from '../../spec/date-words.ts';
import { leftOutOf } from '../formats/table-file.ts';
import { canRead } from '../guess/fit-mapping.ts';
import {
  checkChoices,
  type ListChoices,
  type ListProposal,
  type ListRead,
  listProposal,
  listSampleRows,
  listShownRows,
} from '../guess/list-proposal.ts';
import { loadMapping, profileNames } from '../mapping/mapping.ts';
import type { Mapping } from '../mapping/mapping-schema.ts';
import { listMapper } from '../mapping/row-mapper.ts';
import { textOf } from '../values/convert-value.ts';
import { compTarget } from '../values/mapping-target.ts';
import { namingColumns, namingWords, soundRow } from './comp-complete.ts';
import { type CompFileRow, misfitRow, readCompFile } from './comp-rows.ts';
import { type CompCells, compExpression, guessComps } from './guess-comps.ts';

/**
 * @param headerRow row of the headings, from 1; absent: it is found
 * @param today ISO day: future dates are unlikely
 * @param kept replaces profiles and guesses if the file has its headings
 * @throws EngineError like the readers; mapping_invalid for an unknown field or heading
 */
export function proposeComps(
  file: string,
  choices: ListChoices = {},
  kept: Mapping | null = null,
  today?: string,
  headerRow?: number,
): ListProposal {
  const rows = sampleOf(file, headerRow);
  const columns = [...new Set(rows.flatMap(({ properties }) => Object.keys(properties)))];
  const values = rows.map(({ properties }) => columns.map((name) => textOf(properties[name])));
  const places = new Map(columns.map((heading, place) => [heading, place]));
  const cells: CompCells = {
    columns,
    today,
    of: (heading) => {
      const place = places.get(heading) ?? -1;
      return values.map((row) => row[place] ?? null);
    },
  };
  checkChoices(
    choices,
    compColumns.map(({ name }) => name),
    columns,
  );
  const known = kept && canRead(kept, columns) ? kept : profileOf(columns);
  const isKept = known !== null && known === kept;
  const reads = known ? readsOf(known, isKept) : new Map<string, ListRead>(guessComps(cells));
  for (const [name, heading] of Object.entries(choices)) {
    if (heading === '') reads.delete(name);
    else reads.set(name, { expression: compExpression(name, heading, cells).expression, reason: null });
  }
  const mapping: Mapping = {
    name: known?.name ?? 'guessed',
    ...sourceOf(known, isKept, file),
    columns: Object.fromEntries([...reads].map(([name, { expression }]) => [name, expression])),
  };
  return listProposal({
    file,
    as: 'comps',
    columns,
    rows: values,
    fields: compColumns,
    reads,
    mapping,
    profile: isKept ? null : (known?.name ?? null),
    lack: lackOf(mapping, rows),
    left_out: leftOutOf(file),
    first: reads.size === 0 ? [] : firstComps(mapping, rows),
  });
}

const readsOf = ({ name, columns }: Mapping, isKept: boolean): Map<string, ListRead> =>
  new Map(
    Object.entries(columns).map(([column, expression]) => [
      column,
      { expression, reason: isKept ? 'as kept' : `profile ${name}` },
    ]),
  );

/** A source and its id identify a comp: the next file with this mapping updates the same comps. */
function sourceOf(known: Mapping | null, isKept: boolean, file: string): { source?: string } {
  if (known && !isKept) return {};
  return { source: known?.source ?? path.basename(file) };
}

/** Skips lines that are not records. */
function sampleOf(file: string, headerRow: number | undefined): CompFileRow[] {
  const rows: CompFileRow[] = [];
  const keep = (row: CompFileRow) => {
    if (rows.length < listSampleRows && !(misfitRow in row.properties)) rows.push(row);
  };
  readCompFile(file, keep, headerRow);
  return rows;
}

/** The first profile whose columns are all present. */
function profileOf(columns: readonly string[]): Mapping | null {
  const profiles = profileNames(compTarget).map((name) => loadMapping(name, compTarget));
  return profiles.find((profile) => canRead(profile, columns)) ?? null;
}

function lackOf({ columns }: Mapping, rows: readonly CompFileRow[]): string | null {
  const has = (name: string): boolean => columns[name] !== undefined;
  const hasPlace = (has('latitude') && has('longitude')) || has('apn') || rows.some(({ point }) => point !== null);
  const lacks = [
    ...(has('price') ? [] : ['a price']),
    ...(has('status') || has('sold_date') ? [] : ['a status, or a sold date']),
    ...(hasPlace ? [] : ['latitude and longitude, or an APN']),
    ...(namingColumns.some(has) ? [] : [`what names each record: ${namingWords}`]),
  ];
  return lacks.length === 0 ? null : lacks.join('; ');
}

/** Long, or the same in every row shown. */
const unshown: ReadonlySet<string> = new Set(['photos', 'url', 'is_land', 'is_qualified']);

function firstComps(mapping: Mapping, rows: readonly CompFileRow[]): string[] {
  const mapper = listMapper(compTarget, mapping);
  return rows.slice(0, listShownRows).map(({ properties, id }) => {
    const problems: string[] = [];
    const values = mapper.convert(properties, id, (column, _value, reason) =>
      problems.push(`${compColumnsByName.get(column)?.label ?? column}: ${reason}`),
    );
    const sound = soundRow(values, mapper.hasColumn);
    if ('kind' in sound) return `left out: ${sound.kind === 'refused' ? sound.reason : leftOutWords[sound.reason]}`;
    const said = compColumns
      .filter(({ name }) => values[name] !== null && !unshown.has(name))
      .map(({ name, label, unit, type }) => `${label} ${inUnit(shown(values[name] as string | number, type), unit)}`);
    return [...said, ...problems].join(' · ') || 'no known value';
  });
}

const shown = (value: string | number, type: CompColumn['type']): string => {
  if (type === 'date') return formatDate(String(value));
  return typeof value === 'number'
    ? Number(value.toFixed(4)).toLocaleString('en-US', { maximumFractionDigits: 4 })
    : value;
};

const inUnit = (text: string, unit: string | null | undefined): string =>
  unit === '$' ? `$${text}` : unit && unit !== '°' ? `${text} ${unit}` : text;
