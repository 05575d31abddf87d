/** Fits a profile to one file: leaves out and reports what the profile reads but the file lacks. */
import { joinsOf } from '../../spec/table-names.ts';
import { ColumnBinder, compileExpression } from '../mapping/mapping-expression.ts';
import type { Expression, ExpressionObject, Mapping, MappingJoin } from '../mapping/mapping-schema.ts';

/** Columns of the file that an expression reads, as written there; not `$id` or constants. */
export function columnsRead(expression: Expression): string[] {
  const binder = new ColumnBinder();
  compileExpression(expression, binder);
  return [...binder.slots.map(({ name }) => name), ...binder.tableColumns];
}

/** Headings of the file that an expression reads, as the file writes them. */
export const headingsRead = (expression: Expression, headings: readonly string[]): string[] =>
  columnsRead(expression).flatMap((name) => {
    const folded = name.toLowerCase();
    const found = headings.includes(name) ? name : headings.find((one) => one.trim().toLowerCase() === folded);
    return found ?? [];
  });

/** Whether a file has every column that a mapping needs; one of several alternative names suffices. */
export const canRead = ({ columns }: Mapping, headings: readonly string[]): boolean =>
  Object.values(columns).every(
    (expression) => columnsRead(expression).length === 0 || headingsRead(expression, headings).length > 0,
  );

type Has = (name: string) => boolean;

const fitAll = (parts: readonly Expression[], has: Has): Expression[] =>
  parts.map((part) => fitExpression(part, has)).filter((part) => part !== null);

/** The expression without missing columns; null if nothing, or not enough, is left. */
function fitExpression(expression: Expression, has: Has): Expression | null {
  if (typeof expression === 'string') return expression === '$id' || has(expression) ? expression : null;
  // A number without its unit has another meaning.
  return lacksUnit(expression, has) ? null : fitObject(expression, has);
}

const lacksUnit = ({ scaleBy }: ExpressionObject, has: Has): boolean =>
  scaleBy?.unit !== undefined && fitExpression(scaleBy.unit, has) === null;

function fitObject(expression: ExpressionObject, has: Has): ExpressionObject | null {
  const { from } = expression;
  for (const name of ['concat', 'lines'] as const) {
    const parts = expression[name];
    // An address without its second line is still an address.
    const left = parts && fitAll(parts, has);
    if (left) return left.some(readsColumn) ? { ...expression, [name]: left } : null;
  }
  if (from !== undefined) {
    const [first, ...others] = fitAll(Array.isArray(from) ? (from as Expression[]) : [from as Expression], has);
    if (first === undefined) return null;
    return { ...expression, from: others.length === 0 ? first : [first, ...others] };
  }
  return fitSum(expression, has);
}

/** A sum that lacks a summand is wrong. */
function fitSum(expression: ExpressionObject, has: Has): ExpressionObject | null {
  const { sum = [], minus = [] } = expression;
  return fitAll([...sum, ...minus], has).length === sum.length + minus.length ? expression : null;
}

const readsColumn = (expression: Expression): boolean => columnsRead(expression).length > 0;

interface FittedMapping {
  readonly mapping: Mapping;
  /** Dictionary columns that the mapping fills but this file cannot. */
  readonly left: readonly string[];
}

/** @param names columns of the parcel file, and of the joined table as `table.NAME`; compared in any case */
export function fitMapping(mapping: Mapping, names: readonly string[]): FittedMapping {
  const known = new Set(names.map((name) => name.toLowerCase()));
  const has = (name: string) => known.has(name.toLowerCase());
  const columns: Record<string, Expression> = {};
  const left: string[] = [];
  for (const [column, expression] of Object.entries(mapping.columns)) {
    const fitted = fitExpression(expression, has);
    if (fitted === null) left.push(column);
    else columns[column] = fitted;
  }
  const identity = mapping.identity === undefined ? null : fitExpression(mapping.identity, has);
  const joins = joinsOf(mapping).flatMap((one): MappingJoin[] => {
    const parcel = fitExpression(one.parcel, has);
    return parcel === null ? [] : [{ ...one, parcel }];
  });
  const { identity: _identity, join: _join, ...rest } = mapping;
  return {
    mapping: {
      ...rest,
      columns,
      ...(identity === null ? {} : { identity }),
      ...(joins.length > 0 ? { join: joins.length === 1 ? (joins[0] as MappingJoin) : joins } : {}),
    },
    left,
  };
}
