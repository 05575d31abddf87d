/**
 * An assistant reads every byte of an answer: rows come with the columns that one usually needs, the others by `fields`,
 * and numbers with the decimals that the window shows. Prices are those of the operation.
 */
import Type from 'typebox';
import type { AnyOperation } from '../operations/index.ts';
import { validationError } from '../spec/errors.ts';
import { parcelColumnsByName } from '../spec/parcel-columns.ts';
import { degreeDigits, perAcreDigits, roundTo, shownDigits } from '../spec/shown-digits.ts';
import { findProblems } from '../spec/validate.ts';
import { choiceSchema, listSchema } from '../spec/value-schemas.ts';

interface Lightness {
  /** Where the rows are; absent: the answer is the row. */
  readonly lists?: readonly string[];
  /** Columns that come only where `fields` names them. */
  readonly leavesOut: readonly string[];
  /** Columns beside those of the API. */
  readonly adds?: readonly string[];
}

const parcels = {
  lists: ['results'],
  leavesOut: ['url', 'point', 'situs_state', 'situs_zip'],
  adds: ['market_total_value'],
};

const lightness: Readonly<Record<string, Lightness>> = {
  filter_properties: parcels,
  search_properties: parcels,
  list_neighbours: parcels,
  get_property: { leavesOut: ['shape'] },
  list_comps: {
    lists: ['results'],
    leavesOut: 'id source state zip county latitude longitude sale_type url photos'.split(' '),
  },
  list_datasets: {
    lists: ['datasets', 'counties'],
    leavesOut: ['dataset_id', 'imported_at', 'retired', 'layers', 'coverage', 'filters'],
  },
};

/** Rows of an answer where a call names no number, by the input that names it. */
export const usualRows: Readonly<Record<string, number>> = { page_size: 20, limit: 50 };

const usualInput = ({ input }: AnyOperation): Record<string, number> =>
  Object.fromEntries(Object.entries(usualRows).filter(([name]) => name in input.properties));

/** `fields` of a tool whose operation has none, by the operation; its words name the columns. */
const ownFields: ReadonlyMap<string, { readonly schema: ReturnType<typeof listSchema>; readonly words: string }> =
  new Map(
    Object.entries(lightness)
      .filter(([, { adds }]) => adds === undefined)
      .map(([name, { leavesOut }]) => [
        name,
        { schema: listSchema(choiceSchema([...leavesOut, 'all'])), words: `Also: ${leavesOut.join(', ')}; or all.` },
      ]),
  );

/** What `fields` gives where the operation has none; undefined where it has. */
export const wordsOfFields = (name: string): string | undefined => ownFields.get(name)?.words;

export interface LightCall {
  /** The input of the operation. */
  readonly input: unknown;
  readonly lighten: (answer: Readonly<Record<string, unknown>>) => Record<string, unknown>;
}

/**
 * A call as an assistant makes it, for its operation.
 * @throws EngineError validation_error for a column that there is not, where the operation takes no `fields`
 */
export function lightCall(operation: AnyOperation | undefined, given: object): LightCall {
  const { fields, ...rest } = given as { readonly fields?: unknown };
  const light = lightness[operation?.name ?? ''];
  const input = { ...(operation && usualInput(operation)), ...rest };
  const own = ownFields.get(operation?.name ?? '');
  if (own) requireFields(own.schema, fields);
  const asked = new Set(typeof fields === 'string' ? [fields] : Array.isArray(fields) ? fields : []);
  const leavesOut = new Set(asked.has('all') ? [] : light?.leavesOut.filter((name) => !asked.has(name)));
  const added = Array.isArray(fields) || fields === undefined ? [...asked, ...(light?.adds ?? [])] : fields;
  return {
    input: own ? input : light || fields !== undefined ? { ...input, fields: added } : input,
    lighten: (answer) => rounded(light ? without(answer, light.lists, leavesOut) : answer) as Record<string, unknown>,
  };
}

function requireFields(schema: ReturnType<typeof listSchema>, fields: unknown): void {
  const problems = findProblems(Type.Object({ fields: Type.Optional(schema) }), fields === undefined ? {} : { fields });
  if (problems) throw validationError(problems);
}

const withoutColumns = (row: unknown, names: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row as object).filter(([name]) => !names.has(name)));

const without = (
  answer: Readonly<Record<string, unknown>>,
  lists: readonly string[] | undefined,
  names: ReadonlySet<string>,
): Record<string, unknown> =>
  lists
    ? Object.fromEntries(
        Object.entries(answer).map(([name, value]) => [
          name,
          lists.includes(name) && Array.isArray(value) ? value.map((row) => withoutColumns(row, names)) : value,
        ]),
      )
    : withoutColumns(answer, names);

/** Decimals of numbers that are no columns of the dictionary, as the window shows them. */
const otherDigits: Readonly<Record<string, number | ((value: number) => number)>> = {
  point: degreeDigits,
  shared_feet: 0,
  distance_feet: 0,
  price: 0,
  mean_price: 0,
  mean_adjusted_price: 0,
  mean_ppa: perAcreDigits,
  mean_adjusted_ppa: perAcreDigits,
  confidence_score: 0,
  gini_index: 0,
  median_sold_ppa: 0,
  months_of_supply: 1,
};

/** A boundary is measured, not read. */
const drawn: ReadonlySet<string> = new Set(['shape', 'shape_wkt']);

/** The value with every number in it rounded; `name`: the nearest one above it. */
function rounded(value: unknown, name = ''): unknown {
  if (typeof value === 'number') {
    const column = parcelColumnsByName.get(name);
    const digits = otherDigits[name] ?? (column && shownDigits(column));
    return roundTo(value, typeof digits === 'function' ? digits(value) : digits);
  }
  if (drawn.has(name) || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => rounded(one, name));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rounded(one, key)]));
}
