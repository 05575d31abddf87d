/**
 * The steps of every filter kind for the column index: the twin of filter-terms.ts. Like it, it takes columns from the
 * filter table, so a new filter of a known kind needs nothing here.
 */
import { frontageColumns, slopeElement, sumOf } from '../columns/indexed-columns.ts';
import type { Step } from '../columns/steps.ts';
import type { PreparedGeometry } from '../geo/intersects.ts';
import type { Criterion } from '../spec/filter-kinds.ts';
import type { ColumnTest, FilterKindName, FilterRow } from '../spec/filters.ts';
import { apnKey, foldText, foldWords } from '../spec/text-fold.ts';
import type { FilterRequest } from './filter-request.ts';
import type { LookedUp } from './looked-up.ts';

/** Fields shared by the steps that read a column. */
interface Common {
  readonly filter: string;
  readonly column: string;
  readonly passUnknown: boolean;
  readonly negate: boolean;
}

type ColumnStepMaker = (row: FilterRow, criterion: Criterion, common: Common) => Step;

const valuesOf = (criterion: Criterion): readonly string[] => (criterion.type === 'values' ? criterion.values : []);
const textOf = (criterion: Criterion): string => (criterion.type === 'text' ? criterion.text : '');
const flagOf = (criterion: Criterion): number => (criterion.type === 'flag' && criterion.flag ? 1 : 0);

function range(criterion: Criterion, common: Common): Step {
  if (criterion.type !== 'range') throw new TypeError(`a range criterion is expected, found ${criterion.type}`);
  const { min, max } = criterion;
  return { ...common, type: 'range', ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

const exactTexts = (criterion: Criterion, common: Common): Step => ({
  ...common,
  type: 'texts',
  values: valuesOf(criterion),
  fold: null,
});

const equalTo = (value: number, common: Common): Step => ({ ...common, type: 'range', min: value, max: value });

const wordsStep = (criterion: Criterion, common: Common): Step => ({
  ...common,
  type: 'words',
  phrases: valuesOf(criterion).map((phrase) => foldWords(phrase).trim().split(' ')),
});

const nameWords = (name: string): string[] => foldText(name).split(' ').filter(Boolean);

function textStep(row: FilterRow, criterion: Criterion, common: Common): Step {
  const name = textOf(criterion);
  return 'byWords' in row && row.byWords === true
    ? { ...common, type: 'names', names: [nameWords(name)] }
    : { ...common, type: 'texts', values: [foldText(name)], fold: foldText };
}

function testStep(test: ColumnTest, common: Common): Step {
  if ('element' in test) return { ...common, column: slopeElement(test.element), type: 'range', above: test.above };
  if (typeof test.equals === 'string') return { ...common, type: 'texts', values: [test.equals], fold: null };
  return equalTo(Number(test.equals), common);
}

function tickStep(row: FilterRow, common: Common): Step {
  if (row.kind !== 'only' && row.kind !== 'exclude') throw new TypeError(`${row.name} has no column test`);
  return testStep(row.test, common);
}

const negated = (common: Common): Common => ({ ...common, negate: true });

/** Steps by kind. Absent kinds read no single column: counties, area, portfolio, id, APN, slope, frontage (see below). */
const makers: Partial<Record<FilterKindName, ColumnStepMaker>> = {
  state: (_row, criterion, common) => exactTexts(criterion, common),
  zips: (_row, criterion, common) => exactTexts(criterion, common),
  exclude_zips: (_row, criterion, common) => exactTexts(criterion, negated(common)),
  range: (_row, criterion, common) => range(criterion, common),
  date_range: (_row, criterion, common) => range(criterion, common),
  min: (_row, criterion, common) => range(criterion, common),
  max: (_row, criterion, common) => range(criterion, common),
  list: (_row, criterion, common) => ({
    ...common,
    type: 'texts',
    values: valuesOf(criterion).map(foldText),
    fold: foldText,
  }),
  text: textStep,
  words: (_row, criterion, common) => wordsStep(criterion, common),
  exclude_words: (_row, criterion, common) => wordsStep(criterion, negated(common)),
  plss: (_row, criterion, common) => wordsStep(criterion, common),
  is: (_row, criterion, common) => equalTo(flagOf(criterion), common),
  choice: (_row, criterion, common) => equalTo(flagOf(criterion), common),
  only: (row, _criterion, common) => tickStep(row, common),
  exclude: (row, _criterion, common) => tickStep(row, negated(common)),
};

/** A handful of parcels found by SQLite's own indexes. */
export interface NamedParcels {
  /** Current parcels whose APN has these letters and digits. */
  withApnKey(key: string): readonly number[];
  withMailingKey(key: string): readonly number[];
}

/** County codes of a request; null if it names none. */
export function countiesOf(request: FilterRequest): string[] | null {
  const codes = request.criteria.flatMap(({ row, criterion }) =>
    row.kind === 'county' || row.kind === 'counties' ? valuesOf(criterion) : [],
  );
  return codes.length === 0 ? null : [...new Set(codes)];
}

/**
 * @returns every condition of a request except its counties
 */
export function columnSteps(
  request: FilterRequest,
  { mailingKey, around }: LookedUp,
  area: PreparedGeometry | null,
  parcels: NamedParcels,
): Step[] {
  const steps = request.criteria.flatMap(({ row, criterion }) => stepOf(row, criterion, request, parcels) ?? []);
  const frontage = frontageStep(request);
  return [
    ...steps,
    ...(frontage ? [frontage] : []),
    ...(mailingKey === null
      ? []
      : [{ type: 'ids', filter: 'owner_parcel_id', ids: parcels.withMailingKey(mailingKey) } as const]),
    ...(around === null ? [] : [{ type: 'ids', filter: 'neighbour_of', ids: around } as const]),
    ...(area ? [{ type: 'area', filter: 'geom_intersects', area } as const] : []),
  ];
}

function stepOf(row: FilterRow, criterion: Criterion, request: FilterRequest, parcels: NamedParcels): Step | null {
  const filter = row.name;
  const passUnknown = request.includeUnknown.has(filter);
  if (row.kind === 'id') return { type: 'ids', filter, ids: criterion.type === 'number' ? [criterion.number] : [] };
  if (row.kind === 'apn') return { type: 'ids', filter, ids: parcels.withApnKey(apnKey(textOf(criterion))) };
  if (row.kind === 'slope_area' && criterion.type === 'slope') {
    const column = slopeElement(criterion.index);
    return { type: 'range', filter, column, max: criterion.percent, passUnknown, negate: false };
  }
  const make = makers[row.kind];
  if (!make || !('column' in row)) return null;
  return make(row, criterion, { filter, column: row.column, passUnknown, negate: false });
}

/** The sum of the chosen types; with none or all chosen the total, which does not count parallel roads twice. */
function frontageStep(request: FilterRequest): Step | null {
  const frontage = request.criteria.find(({ row }) => row.kind === 'frontage');
  if (!frontage || !('column' in frontage.row)) return null;
  const { name, column } = frontage.row;
  const given = new Set(
    request.criteria.flatMap(({ row }) => (row.kind === 'frontage_type' ? [row.column as string] : [])),
  );
  const chosen = frontageColumns.filter((type) => given.has(type));
  const isAll = chosen.length === 0 || chosen.length === frontageColumns.length;
  return range(frontage.criterion, {
    filter: name,
    column: isAll ? column : sumOf(chosen),
    passUnknown: request.includeUnknown.has(name),
    negate: false,
  });
}
