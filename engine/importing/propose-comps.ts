/** How a file of listings or sales is understood: by a profile, by its headings and values, and by what a person says. */
import path from 'node:path';
import { compColumns } from '../comps/comp-columns.ts';
import { compMapperOf } from './comp-mapper.ts';
import { type CompMapping, compProfileNames, loadCompMapping } from './comp-mapping.ts';
import { type CompFileRow, misfitRow, readCompFile } from './comp-rows.ts';
import { textOf } from './convert-value.ts';
import { type CompCells, compExpression, guessComps } from './guess-comps.ts';
import {
  checkChoices,
  firstValues,
  type ListChoices,
  type ListField,
  type ListProposal,
  listSampleRows,
  listShownRows,
  unusedOf,
} from './list-proposal.ts';
import type { Expression } from './mapping-schema.ts';
import { columnsRead } from './profiles/fit-mapping.ts';

/**
 * @param today ISO day: dates to come are unlikely ones
 * @param kept in place of profiles and guesses, where the file has its headings
 * @throws EngineError as the readers; mapping_invalid for a field or heading that there is not
 */
export function proposeComps(
  file: string,
  choices: ListChoices = {},
  kept: CompMapping | null = null,
  today?: string,
): ListProposal {
  const rows = sampleOf(file);
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
  const names = compColumns.map(({ name }) => name);
  checkChoices(choices, names, columns);
  const known = kept && canRead(kept, columns) ? kept : profileOf(columns);
  const isKept = known !== null && known === kept;
  const expressions = known ? expressionsOf(known, isKept) : new Map<string, Read>(guessComps(cells));
  for (const [name, heading] of Object.entries(choices)) {
    if (heading === '') expressions.delete(name);
    else expressions.set(name, { expression: compExpression(name, heading, cells).expression, reason: null });
  }
  const samples = firstValues(columns, values);
  const mapping: CompMapping = {
    name: known?.name ?? 'guessed',
    ...sourceOf(known, isKept, file),
    columns: Object.fromEntries([...expressions].map(([name, { expression }]) => [name, expression])),
  };
  const used = new Set(Object.values(mapping.columns).flatMap(columnsRead));
  const lack = lackOf(mapping, rows);
  return {
    file,
    as: 'comps',
    columns,
    fields: compColumns.map(({ name, label }): ListField => {
      const found = expressions.get(name);
      const source = found ? columnsRead(found.expression).filter((one) => columns.includes(one)) : [];
      return {
        field: name,
        label,
        source: source.length === 0 ? null : source.join(found && isAlternatives(found.expression) ? ' or ' : ' + '),
        reason: found?.reason ?? null,
        sample: samples.get(source[0] ?? '') ?? null,
        options: null,
      };
    }),
    mapping: { ...mapping },
    profile: isKept ? null : (known?.name ?? null),
    unused: unusedOf(columns, used, samples),
    lack,
    first: expressions.size === 0 ? [] : firstComps(mapping, rows),
  };
}

const isAlternatives = (expression: Expression): boolean =>
  typeof expression === 'object' && Array.isArray(expression.from);

interface Read {
  readonly expression: Expression;
  readonly reason: string | null;
}

const expressionsOf = ({ name, columns }: CompMapping, isKept: boolean): Map<string, Read> =>
  new Map(
    Object.entries(columns).map(([column, expression]) => [
      column,
      { expression, reason: isKept ? 'as kept' : `profile ${name}` },
    ]),
  );

/** A comp is its source and the id there: the next file by this mapping brings the same ones up to date. */
function sourceOf(known: CompMapping | null, isKept: boolean, file: string): { source?: string } {
  if (known && !isKept) return {};
  return { source: known?.source ?? path.basename(file) };
}

/** Without the lines that are no record. */
function sampleOf(file: string): CompFileRow[] {
  const rows: CompFileRow[] = [];
  readCompFile(file, (row) => {
    if (rows.length < listSampleRows && !(misfitRow in row.properties)) rows.push(row);
  });
  return rows;
}

/** The first profile all of whose columns are there. */
function profileOf(columns: readonly string[]): CompMapping | null {
  const profiles = compProfileNames().map(loadCompMapping);
  return profiles.find((profile) => canRead(profile, columns)) ?? null;
}

/** Of several names of one column, one is enough. */
function canRead(mapping: CompMapping, columns: readonly string[]): boolean {
  const known = new Set(columns.map((name) => name.trim().toLowerCase()));
  return Object.values(mapping.columns).every((expression) => {
    const read = columnsRead(expression);
    return read.length === 0 || read.some((name) => known.has(name.toLowerCase()));
  });
}

function lackOf({ columns }: CompMapping, rows: readonly CompFileRow[]): string | null {
  const has = (name: string): boolean => columns[name] !== undefined;
  const hasPlace = (has('latitude') && has('longitude')) || has('apn') || rows.some(({ point }) => point !== null);
  const lacks = [
    ...(has('price') ? [] : ['a price']),
    ...(has('status') || has('sold_date') ? [] : ['a status, or a sold date']),
    ...(hasPlace ? [] : ['latitude and longitude, or an APN']),
  ];
  return lacks.length === 0 ? null : lacks.join('; ');
}

function firstComps(mapping: CompMapping, rows: readonly CompFileRow[]): string[] {
  const mapper = compMapperOf(mapping);
  return rows.slice(0, listShownRows).map(({ properties, id }) => {
    const problems: string[] = [];
    const values = mapper.convert(properties, id, (column, _value, reason) => problems.push(`${column}: ${reason}`));
    const said = compColumns
      .filter(({ name }) => values[name] !== null && name !== 'photos' && name !== 'url')
      .map(
        ({ name, unit }) =>
          `${name} ${shown(values[name] as string | number)}${unit && unit !== '°' ? ` ${unit}` : ''}`,
      );
    return [...said, ...problems].join(' · ') || 'nothing that is known';
  });
}

const shown = (value: string | number): string =>
  typeof value === 'number' ? Number(value.toFixed(4)).toLocaleString('en-US', { maximumFractionDigits: 4 }) : value;
