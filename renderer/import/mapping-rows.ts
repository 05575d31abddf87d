/** Converts between a mapping and the lines that show it. */
import { joinsOf, splitTableName } from '../../engine/spec/table-names.ts';
import type { Expression, Mapping, Proposal, ProposedColumn } from '../../engine/work/import-answers.ts';
import type { ImportState, MapRow } from './import-state.ts';

/** Names of columns that an expression reads; those of the joined table as `table.NAME`. */
export function namesRead(expression: Expression | undefined): string[] {
  if (expression === undefined) return [];
  if (typeof expression === 'string') return [expression];
  const { from, concat = [], sum = [], minus = [], lines = [], scaleBy } = expression;
  const first = from === undefined ? [] : Array.isArray(from) ? (from as readonly Expression[]) : [from as Expression];
  return [
    ...first,
    ...concat,
    ...sum,
    ...minus,
    ...lines,
    ...(scaleBy?.unit === undefined ? [] : [scaleBy.unit]),
  ].flatMap(namesRead);
}

/** @param names of the file, in any case */
export function canReadAll(mapping: Mapping, names: readonly string[]): boolean {
  const known = new Set(['$id', ...names.map((name) => name.toLowerCase())]);
  const keys = joinsOf(mapping).flatMap(({ parcel, table }) => [parcel, table]);
  const read = [...Object.values(mapping.columns), ...keys].flatMap(namesRead);
  return read.every((name) => known.has(name.toLowerCase()));
}

const rowOf = (proposed: ProposedColumn, isTaken: boolean): MapRow => ({
  id: `${isTaken ? 'to' : 'maybe'} ${proposed.column}`,
  source: proposed.source,
  target: isTaken ? proposed.column : null,
  offered: isTaken ? null : proposed.column,
  expression: proposed.expression,
  confidence: proposed.confidence,
  reasons: proposed.reasons,
  sample: proposed.sample,
  after: proposed.after,
  filled: proposed.filled,
});

const rawRow = (name: string, sample: string | null, reason: string | null): MapRow => ({
  id: `raw ${name}`,
  source: name,
  target: null,
  offered: null,
  expression: name,
  confidence: null,
  reasons: reason === null ? [] : [reason],
  sample,
  after: null,
  filled: null,
});

export function rowsOfProposal({ columns, undecided, unmapped }: Proposal): MapRow[] {
  const maybe = undecided.map((one) => rowOf(one, false));
  const offered = new Set(maybe.flatMap(({ expression }) => namesRead(expression)));
  return [
    ...maybe,
    ...columns.map((one) => rowOf(one, true)),
    ...unmapped
      .filter(({ name }) => !offered.has(name))
      .map(({ name, sample, reason }) => rawRow(name, sample, reason)),
  ];
}

/** Rows of a saved mapping; the proposal adds the columns that it does not read. */
export function rowsOfMapping({ columns }: Mapping, proposal: Proposal): MapRow[] {
  const entries = Object.entries(columns);
  const read = new Set(entries.flatMap(([, expression]) => namesRead(expression)));
  const known = new Map(
    [...proposal.columns, ...proposal.undecided].flatMap(({ expression, sample }) =>
      namesRead(expression).map((name) => [name, sample] as const),
    ),
  );
  for (const { name, sample } of proposal.unmapped) known.set(name, sample);
  const maybe = [...proposal.undecided, ...proposal.columns]
    .filter(
      ({ column, expression }) =>
        columns[column] === undefined && !namesRead(expression).some((name) => read.has(name)),
    )
    .map((one) => rowOf(one, false));
  const offered = new Set(maybe.flatMap(({ expression }) => namesRead(expression)));
  return [
    ...entries.map(([target, expression]) => ({
      ...rawRow(namesRead(expression).join(' + ') || 'constant', null, 'kept from the last file'),
      ...{ id: `to ${target}`, target, expression },
    })),
    ...maybe,
    ...[...known]
      .filter(([name]) => !read.has(name) && !offered.has(name))
      .map(([name, sample]) => rawRow(name, sample, null)),
  ];
}

/** Null while nothing is mapped. */
export function mappingOf({ base, rows }: Pick<ImportState, 'base' | 'rows'>): Mapping | null {
  const columns = Object.fromEntries(rows.flatMap(({ target, expression }) => (target ? [[target, expression]] : [])));
  const names = Object.values(columns).flatMap(namesRead);
  if (Object.keys(columns).length === 0) return null;
  const { join: _join, ...rest } = base ?? { name: 'chosen', columns: {} };
  // Omit joins whose tables nothing reads: without the table the import would refuse them.
  const used = Math.max(0, ...names.map((name) => (splitTableName(name)?.table ?? -1) + 1));
  const joins = joinsOf(base ?? {}).slice(0, used);
  const [only] = joins;
  return { ...rest, ...(only && { join: joins.length === 1 ? only : joins }), columns };
}

const said = 'as you said';

/** Rows of a newer proposal, with what the user said of the columns before. */
export const withSaid = (rows: readonly MapRow[], before: readonly MapRow[]): readonly MapRow[] =>
  before
    .filter(({ reasons }) => reasons[0] === said)
    .reduce((kept, { source, target, expression }) => {
      const same = kept.find((row) => row.source === source);
      if (!same) return kept;
      return withTarget(kept, same.id, target).map((row) => (row.id === same.id ? { ...row, expression } : row));
    }, rows);

/** Maps a row to a column of the dictionary; the row that had it before becomes unmapped. */
export const withTarget = (rows: readonly MapRow[], id: string, target: string | null): MapRow[] =>
  rows.map((row) => {
    if (row.id === id) return { ...row, target, confidence: null, reasons: [said] };
    return target !== null && row.target === target ? { ...row, target: null, offered: target } : row;
  });

export type RowGroup = 'needs' | 'taken' | 'raw';

/** Below this confidence a person should check. */
const surelyEnough = 0.75;

export const groupOf = ({ target, offered, confidence }: MapRow): RowGroup => {
  if (target === null) return offered === null ? 'raw' : 'needs';
  return confidence !== null && confidence < surelyEnough ? 'needs' : 'taken';
};
