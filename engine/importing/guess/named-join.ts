/** A join whose columns a person names: `MAP+BLOCK+LOT=MBLU`. How their texts are written is found from the rows. */
import { EngineError } from '../../spec/errors.ts';
import { tablePrefix } from '../../spec/table-names.ts';
import { nearNames } from '../../spec/validate.ts';
import type { TableFile } from '../formats/table-file.ts';
import { foldKey } from '../mapping/join-rows.ts';
import type { MappingRow } from '../mapping/mapping-expression.ts';
import type { Expression } from '../mapping/mapping-schema.ts';
import { keySource } from '../mapping/row-mapper.ts';
import type { GuessedJoin } from './guess-join.ts';
import { sampleReader } from './guess-mapping.ts';
import type { ParcelSample } from './guess-sample.ts';

export const joinKeyExample = 'MAP+BLOCK+LOT=MBLU';
const separators = ['-', ' ', '.', '/', ''] as const;

/** @throws EngineError usage, mapping_invalid if a column is missing or no parcel finds a row */
export function namedJoin(text: string, sample: ParcelSample, table: TableFile, place: number): GuessedJoin {
  const sides = text.split('=').map((side) => side.split('+').map((name) => name.trim()));
  const [own = [], theirs = []] = sides;
  if (sides.length !== 2 || [...own, ...theirs].includes(''))
    throw new EngineError('usage', `Expected --join-key like "${joinKeyExample}", found ${JSON.stringify(text)}.`);
  const parcelColumns = own.map((name) => known(name, sample.columns, 'of the parcels'));
  const tableColumns = theirs.map((name) => known(name, table.columns, 'of the table'));
  const inTable = tableColumns.map((name) => tablePrefix(place) + name);
  const joins = waysOf(parcelColumns, inTable);
  const shares = sharesOf(joins, sample, table, place);
  const best = shares.indexOf(Math.max(...shares));
  const [join, share] = [joins[best], shares[best] ?? 0];
  if (!join || share === 0)
    throw new EngineError(
      'mapping_invalid',
      `No parcel finds a row of the table by ${text}, however both are written.`,
    );
  return { ...join, parcelColumns, tableColumns, share, isIdentity: true };
}

function known(name: string, columns: readonly string[], whose: string): string {
  const found = columns.find((one) => one === name) ?? columns.find((one) => one.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const near = nearNames(name, columns);
  const hint =
    near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ` There are ${columns.slice(0, 40).join(', ')}.`;
  throw new EngineError('mapping_invalid', `${JSON.stringify(name)} is not a column ${whose}.${hint}`);
}

interface Way {
  readonly parcel: Expression;
  readonly table: Expression;
}

/** `012`, `12` and `12.0` alike. */
const bare = (name: string): Expression => ({ from: name, wholeNumber: true, apnGroups: { by: '-', separator: '-' } });
const together = (names: readonly string[], separator: string, write: (name: string) => Expression): Expression => {
  const [only = ''] = names;
  return names.length === 1 ? write(only) : { concat: names.map(write), separator };
};

/** The plainest first. */
function waysOf(own: readonly string[], theirs: readonly string[]): Way[] {
  const asWritten = (name: string): Expression => name;
  if (own.length === theirs.length)
    return [asWritten, bare].map((write) => ({
      parcel: together(own, ' ', write),
      table: together(theirs, ' ', write),
    }));
  const groups =
    (by: string) =>
    (name: string): Expression => ({ from: name, apnGroups: { by, separator: '-' } });
  const side = (names: readonly string[], separator: string) => together(names, separator, asWritten);
  const inGroups = (names: readonly string[], by: string) =>
    together(names, '-', names.length === 1 ? groups(by) : bare);
  return [
    ...separators.map((one) => ({ parcel: side(own, one), table: side(theirs, one) })),
    ...separators
      .filter((one) => one !== '')
      .map((one) => ({ parcel: inGroups(own, one), table: inGroups(theirs, one) })),
  ];
}

/** Share of the sampled parcels that find a row in each way; reads the table once. */
function sharesOf(ways: readonly Way[], sample: ParcelSample, table: TableFile, place: number): number[] {
  const before = sample.tableColumns ?? [];
  const names = table.columns.map((name) => tablePrefix(place) + name);
  const read = sampleReader({ ...sample, tableColumns: [...before, ...names] });
  const keys = ways.map(({ parcel, table: key }) => ({
    parcel: keySource(read(parcel)),
    table: keySource(read(key)),
    found: new Set<string>(),
  }));
  const blanks = before.map(() => null);
  const row: MappingRow = { properties: {}, id: undefined, table: null };
  for (const { values } of table.rows(table.columns.map((_, index) => index))) {
    row.table = [...blanks, ...values];
    for (const { table: keyOf, found } of keys) {
      const key = keyOf(row);
      if (key !== null) found.add(foldKey(key));
    }
  }
  return keys.map(({ parcel, found }) => {
    const finds = sample.rows.filter((one) => found.has(foldKey(parcel(one) ?? '')));
    return finds.length / Math.max(sample.rows.length, 1);
  });
}
