/** The expression of a guessed column, with its unit, date format and placeholders. */
import { parcelColumnsByName } from '../../spec/parcel-columns.ts';
import type { Expression, ExpressionObject } from '../mapping/mapping-schema.ts';
import { guessDate } from '../values/parse-date.ts';
import type { WeighedSource } from './guess-candidates.ts';
import type { Agreement } from './guess-facts.ts';
import { areaUnitOf } from './guess-units.ts';

/** Dates that spreadsheets and databases write for an unknown one. */
const emptyDays = new Set([
  '1900-01-01',
  '1899-12-30',
  '1899-12-31',
  '1901-01-01',
  '1970-01-01',
  '1800-01-01',
  '9999-12-31',
]);

/** @param agreement of the values with the mapped areas; for acres */
export function columnExpression(target: string, source: WeighedSource, agreement: Agreement | null): Expression {
  const steps = {
    ...(target === 'acres' ? scaleOf(source, agreement) : {}),
    ...dateOf(target, source),
    ...wholeOf(target, source),
    ...nullsOf(target, source),
  };
  if (Object.keys(steps).length === 0) return source.expression;
  return typeof source.expression === 'string'
    ? { from: source.expression, ...steps }
    : { ...source.expression, ...steps };
}

function scaleOf(
  { expression, words, facts }: WeighedSource,
  agreement: Agreement | null,
): Pick<ExpressionObject, 'scale'> {
  // Already in acres: no row's own unit is in doubt.
  if (typeof expression !== 'string' && expression.scaleBy) return {};
  const { acresPerUnit } = areaUnitOf(words, facts.median, agreement);
  return acresPerUnit === 1 ? {} : { scale: acresPerUnit };
}

function dateOf(target: string, { facts }: WeighedSource): Pick<ExpressionObject, 'date'> {
  const isDate = parcelColumnsByName.get(target)?.type === 'date';
  return isDate && facts.dateFormat !== null ? { date: facts.dateFormat } : {};
}

/** Some programs write the numbers of a column with gaps as `60059.0`: then all of them are so, and mean `60059`. */
function wholeOf(target: string, { values }: WeighedSource): Pick<ExpressionObject, 'wholeNumber'> {
  const texts = values.filter((value) => value !== null);
  const isText = parcelColumnsByName.get(target)?.type === 'text';
  return isText && texts.length > 0 && texts.every((text) => /^\d+\.0$/.test(text)) ? { wholeNumber: true } : {};
}

/** Placeholders of this file; includes the dictionary's own nulls, because a mapping's nulls replace them. */
function nullsOf(target: string, { facts, values }: WeighedSource): Pick<ExpressionObject, 'nullIf'> {
  const column = parcelColumnsByName.get(target);
  const found: (string | number)[] = [...facts.placeholders];
  if (column?.type === 'text' && values.some((value) => value === '0')) found.push('0');
  if (column?.type === 'date') found.push(...emptyDates(values));
  return found.length === 0 ? {} : { nullIf: [...found, ...(column?.nullIf ?? [])] };
}

const emptyDates = (values: readonly (string | null)[]): string[] => {
  const texts = new Set(values.filter((value) => value !== null));
  return [...texts].filter((text) => emptyDays.has(guessDate(text) ?? ''));
};
