/** A rule of a mapping in a few words: `YYYYMMDD, 0 is unknown`. */
import { importColumns, type ParcelColumn, parcelColumnsByName } from '../../engine/spec/parcel-columns.ts';
import type { Expression, ExpressionObject } from '../../engine/work/import-answers.ts';

export const targets: readonly ParcelColumn[] = importColumns;

/** Acres per unit, as in the engine's guesses. */
export const areaUnits = [
  { label: 'acres', scale: 1 },
  { label: 'square feet', scale: 1 / 43_560 },
  { label: 'square meters', scale: 1 / 4046.8564224 },
  { label: 'hectares', scale: 2.4710538147 },
] as const;

const nearly = (a: number, b: number): boolean => Math.abs(a - b) <= Math.abs(b) * 1e-3;

export const unitOfScale = (scale: number): string | null =>
  areaUnits.find((unit) => nearly(unit.scale, scale))?.label ?? null;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > 0;

function unknownWords(column: ParcelColumn, { nullIf }: ExpressionObject): string | null {
  const values = (nullIf ?? column.nullIf ?? []).map((value) => (value === '' ? '“”' : String(value)));
  if (values.length === 0) return null;
  return `${values.slice(0, 3).join(' and ')}${values.length > 3 ? ' …' : ''} ${values.length === 1 ? 'is' : 'are'} unknown`;
}

const typeWords: Readonly<Partial<Record<ParcelColumn['type'], string>>> = {
  money: 'dollars',
  number: 'number',
  integer: 'number',
  percent: 'percent',
  date: 'date',
  boolean: 'Y or N',
  text: 'text',
};

function baseWords(column: ParcelColumn, { date, scale, scaleBy, yes, constant }: ExpressionObject): string {
  if (constant !== undefined) return `always ${JSON.stringify(constant)}`;
  if (date) return date;
  if (scaleBy) return `unit by row, ${Object.keys(scaleBy.factors).slice(0, 3).join(', ')}`;
  if (yes) return `yes is ${yes.join(', ')}`;
  if (scale !== undefined) {
    const unit = column.unit === 'ac' ? unitOfScale(scale) : null;
    return unit ? `${unit} to acres` : `times ${Number(scale.toPrecision(6))}`;
  }
  if (column.name === 'apn') return 'kept as written';
  return column.unit === 'ac' ? 'acres' : (typeWords[column.type] ?? 'text');
}

/** A negative index counts from the end. */
const partAt = (index: number): string =>
  index >= 0 ? `part ${index + 1}` : index === -1 ? 'the last part' : `part ${-index} from the end`;

const partWords: readonly ((expression: ExpressionObject) => string | null)[] = [
  ({ concat }) => (isList(concat) ? 'put together' : null),
  ({ from }) => (Array.isArray(from) && from.length > 1 ? 'the first that is there' : null),
  ({ sum }) => (isList(sum) ? 'added up' : null),
  ({ minus }) => (isList(minus) ? 'less the others' : null),
  ({ split }) => (split ? `${partAt(split.index)} at “${split.separator}”` : null),
  ({ slice }) => (slice ? 'a part of it' : null),
  ({ words }) => (words ? 'some of its words' : null),
  ({ lines, part }) => (lines ? `${part} of the address lines` : null),
  ({ decimalComma }) => (decimalComma ? 'decimal comma' : null),
  ({ wholeNumber }) => (wholeNumber ? 'without .0' : null),
  ({ lettersAndDigits }) => (lettersAndDigits ? 'letters and digits' : null),
  ({ digits }) => (digits ? 'digits alone' : null),
  ({ apnGroups }) => (apnGroups ? 'groups without leading zeros' : null),
  ({ pad }) => (pad ? `pad to ${pad.length}` : null),
  ({ map }) => (map ? `${Object.keys(map).length} codes translated` : null),
];

export function readAsWords(target: string | null, expression: Expression): string {
  const column = target === null ? undefined : parcelColumnsByName.get(target);
  if (!column) return 'shown with the parcel';
  const rule: ExpressionObject = typeof expression === 'string' ? {} : expression;
  const parts = partWords.map((words) => words(rule)).filter((words) => words !== null);
  return [baseWords(column, rule), ...parts, unknownWords(column, rule)].filter((words) => words !== null).join(', ');
}

export const confidenceWord = (confidence: number): string =>
  confidence >= 0.93 ? 'sure' : confidence >= 0.8 ? 'likely' : confidence >= 0.6 ? 'guess' : 'needs you';

/** Number of filled bars, of three. */
export const barsOf = (confidence: number): number =>
  confidence >= 0.93 ? 3 : confidence >= 0.8 ? 2 : confidence >= 0.6 ? 1 : 0;
