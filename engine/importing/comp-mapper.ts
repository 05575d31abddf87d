/** Turns a row of a listing or sales file into the values of the comp dictionary: by a mapping, or by its own names. */
import { type CompColumn, compColumns } from '../comps/comp-columns.ts';
import { EngineError } from '../spec/errors.ts';
import type { ParcelColumn } from '../spec/parcel-columns.ts';
import { nearNames } from '../spec/validate.ts';
import type { CompMapping } from './comp-mapping.ts';
import { type Converter, converterFor, type Fault, type StoredValue } from './convert-value.ts';
import type { ExpressionObject } from './mapping.ts';
import { ColumnBinder, compileExpression, type MappingRow, type Source } from './mapping-expression.ts';

/** Values by column name; null where the file has none. */
export type CompValues = Record<string, StoredValue>;

export type CompProblemSink = (column: string, value: unknown, reason: string) => void;

export interface CompMapper {
  convert(properties: Readonly<Record<string, unknown>>, id: unknown, onProblem: CompProblemSink): CompValues;
  /** @throws EngineError mapping_invalid when the files did not hold what the mapping speaks of */
  finish(): void;
}

interface CompiledColumn {
  readonly name: string;
  readonly read: Source;
  readonly convert: Converter;
}

/** The converters are those of parcels, which know a ZIP by its column's name. */
const asParcelColumn = ({ name, type, ...rest }: CompColumn): ParcelColumn => ({
  ...rest,
  name: type === 'zip' ? 'situs_zip' : name,
  type: type === 'zip' ? 'text' : type,
  group: 'sale',
  origin: 'published',
});

const nothing = (): CompValues => Object.fromEntries(compColumns.map(({ name }) => [name, null]));

function convertAll(columns: readonly CompiledColumn[], row: MappingRow, onProblem: CompProblemSink): CompValues {
  const values = nothing();
  const fault: Fault = { reason: null };
  for (const { name, read, convert } of columns) {
    const raw = read(row);
    if (raw === null || raw === undefined) continue;
    values[name] = convert(raw, fault);
    if (fault.reason !== null) onProblem(name, raw, fault.reason);
    fault.reason = null;
  }
  return values;
}

export const compMapperOf = (mapping: CompMapping | undefined): CompMapper =>
  mapping ? mappedBy(mapping) : dictionaryMapper();

function mappedBy(mapping: CompMapping): CompMapper {
  const binder = new ColumnBinder();
  const columns = compColumns.flatMap((column): CompiledColumn[] => {
    const expression = Object.hasOwn(mapping.columns, column.name) ? mapping.columns[column.name] : undefined;
    if (expression === undefined) return [];
    const options: ExpressionObject = typeof expression === 'string' ? {} : expression;
    const convert = converterFor(asParcelColumn(column), options);
    return [{ name: column.name, read: compileExpression(expression, binder), convert }];
  });
  const names = new Set<string>();
  let isUnbound = binder.slots.length > 0;
  return {
    convert(properties, id, onProblem) {
      if (isUnbound) isUnbound = bindColumns(binder, properties, names);
      return convertAll(columns, { properties, id, table: null }, onProblem);
    },
    finish() {
      const missing = binder.groups.find((group) => group.every((slot) => !slot.isSeen));
      if (missing) throw missingColumn(mapping.name, missing[0]?.name ?? '', [...names]);
    },
  };
}

/** Columns as written, else in any case. Answers whether some are still not found. */
function bindColumns(binder: ColumnBinder, properties: Readonly<Record<string, unknown>>, names: Set<string>): boolean {
  const keys = Object.keys(properties);
  if (names.size < 1000) for (const key of keys) names.add(key);
  for (const slot of binder.slots.filter(({ isSeen }) => !isSeen)) {
    const folded = slot.name.toLowerCase();
    const key = Object.hasOwn(properties, slot.name)
      ? slot.name
      : keys.find((name) => name.trim().toLowerCase() === folded);
    if (key === undefined) continue;
    slot.key = key;
    slot.isSeen = true;
  }
  return binder.slots.some(({ isSeen }) => !isSeen);
}

function missingColumn(mapping: string, wanted: string, found: readonly string[]): EngineError {
  const near = nearNames(wanted, found);
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  return new EngineError(
    'mapping_invalid',
    `The mapping ${mapping} reads the column ${wanted}, but the file has none of that name; it has ${found.slice(0, 40).join(', ')}.${hint}`,
  );
}

/** How a file may write a column's name: in any case, with blanks or hyphens for underscores. */
const foldedName = (key: string): string => key.trim().toLowerCase().replace(/[ -]/g, '_');

const columnsByHeading = new Map<string, CompColumn>([
  ...compColumns.flatMap((column) => (column.aliases ?? []).map((alias): [string, CompColumn] => [alias, column])),
  ...compColumns.map((column): [string, CompColumn] => [column.name, column]),
]);

function dictionaryMapper(): CompMapper {
  const known = new Set<string>();
  const columns: CompiledColumn[] = [];
  const learn = (key: string) => {
    known.add(key);
    const column = columnsByHeading.get(foldedName(key));
    if (!column || columns.some(({ name }) => name === column.name)) return;
    columns.push({
      name: column.name,
      read: (row) => row.properties[key],
      convert: converterFor(asParcelColumn(column)),
    });
  };
  return {
    convert(properties, id, onProblem) {
      for (const key in properties) if (!known.has(key)) learn(key);
      return convertAll(columns, { properties, id, table: null }, onProblem);
    },
    finish() {
      if (columns.length > 0) return;
      throw new EngineError(
        'mapping_invalid',
        `None of the columns is named as in the dictionary of comps (price, lot_size, sold_date …); found ${[...known].slice(0, 40).join(', ') || 'no columns'}. Give a mapping.`,
      );
    },
  };
}
