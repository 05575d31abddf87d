/**
 * Random filter bodies, a kind of filter at a time, so that every row of the table is asked. Their constants come from the
 * data itself, so that bounds and near misses are met. What they find says the twin, which does not read that table.
 */
import fc from 'fast-check';
import { decodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { unknownableFilters } from '../../engine/query/filter-request.ts';
import { type FilterRow, filters } from '../../engine/spec/filters.ts';
import { parcelColumnsByName } from '../../engine/spec/parcel-columns.ts';
import { buildQueries } from '../geo/area-queries.ts';
import type { FilterBody, TwinParcel } from './filter-twin.ts';

/** Known values of a column, in the order of the rows. */
const known = <Value>(parcels: readonly TwinParcel[], column: string): Value[] =>
  parcels.flatMap((parcel) =>
    parcel[column] === null || parcel[column] === undefined ? [] : [parcel[column] as Value],
  );

const pick = <Value>(values: readonly Value[], otherwise: Value): fc.Arbitrary<Value> =>
  values.length > 0 ? fc.constantFrom(...values) : fc.constant(otherwise);

/** A value of the column, or one slightly off. */
function boundary(
  parcels: readonly TwinParcel[],
  column: string,
  whole: boolean,
  clamp?: [number, number],
): fc.Arbitrary<number> {
  const values = pick(known<number>(parcels, column), 1);
  const nudge = whole ? fc.constantFrom(0, 0, -1, 1) : fc.constantFrom(0, 0, -0.005, 0.005, 0.5);
  return fc.tuple(values, nudge).map(([value, by]) => {
    const moved = whole ? Math.round(value) + by : value + by;
    return clamp ? Math.min(clamp[1], Math.max(clamp[0], moved)) : moved;
  });
}

/** One or both bounds, in order. */
const range = (name: string, bound: fc.Arbitrary<number | string>): fc.Arbitrary<FilterBody> =>
  fc.tuple(bound, bound, fc.constantFrom('min', 'max', 'both')).map(([a, b, side]) => {
    const [low, high] = a <= b ? [a, b] : [b, a];
    return {
      ...(side === 'max' ? {} : { [`${name}_min`]: low }),
      ...(side === 'min' ? {} : { [`${name}_max`]: high }),
    };
  });

/** Columns that only filters have; their bounds come from a column of the table. */
const columnBehind: Record<string, string> = { effective_acres: 'acres' };

const otherCase = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toLowerCase(),
  (text: string) => text.toUpperCase(),
);

/** A word of the names, two neighbours as a phrase, or half a word, which must not match. */
function words(parcels: readonly TwinParcel[], column: string): fc.Arbitrary<string[]> {
  const one = fc
    .tuple(
      pick(known<string>(parcels, column), 'SMITH JOHN'),
      fc.nat(5),
      fc.constantFrom('word', 'phrase', 'half'),
      otherCase,
    )
    .map(([name, at, form, change]) => {
      const parts = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
      const first = parts[at % Math.max(1, parts.length)] ?? 'X';
      const next = parts[(at % Math.max(1, parts.length)) + 1];
      if (form === 'half') return change(first.slice(0, Math.max(1, first.length - 1)));
      return change(form === 'phrase' && next ? `${first} ${next}` : first);
    });
  return fc.array(one, { minLength: 1, maxLength: 4 });
}

/** The parcel's own section or township, or one that is nowhere. */
const plssText = (parcels: readonly TwinParcel[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      pick(known<string>(parcels, 'township'), 'T5N'),
      pick(known<string>(parcels, 'range'), 'R3W'),
      fc.integer({ min: 0, max: 36 }),
    )
    .map(([township, range, section]) => `${township} ${range}${section === 0 ? '' : ` S${section}`}`);

/** Bodies with this filter alone, over the values of these parcels; null for the county and the area, which callers choose, and for neighbours, which test/engine/neighbour-filter.test.ts asks. */
function bodiesOf(row: FilterRow, parcels: readonly TwinParcel[]): fc.Arbitrary<FilterBody> | null {
  const { name, kind } = row;
  const column = 'column' in row ? (columnBehind[row.column] ?? row.column) : '';
  const one = <Value>(value: fc.Arbitrary<Value>, key: string = name) => value.map((given) => ({ [key]: given }));
  const texted = fc
    .tuple(pick(known<string>(parcels, column), 'NOBODY'), otherCase)
    .map(([text, change]) => change(text));
  const bound = boundary(
    parcels,
    column,
    'whole' in row,
    parcelColumnsByName.get(column)?.type === 'percent' ? [0, 100] : undefined,
  );
  switch (kind) {
    case 'county':
    case 'counties':
    case 'geometry':
    case 'around':
      return null;
    case 'range':
    case 'frontage':
      return range(name, bound);
    case 'min':
      // The only one reads a number that no column holds.
      return one(fc.integer({ min: 0, max: 8 }), `${name}_min`);
    case 'max':
      return one(bound, `${name}_max`);
    case 'date_range':
      return range(
        name,
        pick(known<string>(parcels, column), '2020-01-31').map((date) => date.replaceAll('-', '')),
      );
    case 'list':
      return one(fc.array(texted, { minLength: 1, maxLength: 4 }));
    case 'words':
    case 'exclude_words':
      return one(words(parcels, column));
    case 'text':
      return one(texted);
    case 'is':
    case 'only':
    case 'exclude':
      return one(fc.boolean());
    case 'choice':
      return one(fc.constantFrom('Y', 'N'));
    case 'state':
      return one(fc.constantFrom('NH', 'MT', 'ZZ', 'zz', 'nh'));
    case 'zips':
    case 'exclude_zips':
      return one(fc.array(pick(known<string>(parcels, column), '03280'), { minLength: 1, maxLength: 3 }));
    case 'id':
      return one(pick(known<number>(parcels, 'property_id'), 1));
    case 'apn':
      return one(pick(known<string>(parcels, 'apn'), '1-1'));
    case 'portfolio':
      return one(
        pick(
          parcels.filter((p) => p.mailing_key !== null).map((p) => p.property_id),
          1,
        ),
      );
    case 'plss':
      return one(plssText(parcels));
    case 'frontage_type':
      return fc
        .tuple(range('road_frontage', boundary(parcels, column, false)), fc.boolean())
        .map(([bounds, counts]) => ({ ...bounds, [name]: counts }));
    case 'slope_area':
      return fc.record({
        slope_area_index: fc.nat(10),
        slope_area_percent: fc.double({ min: 0, max: 100, noNaN: true }),
      });
  }
}

/** Every filter but counties and the area: one arbitrary each, over the values of these parcels. */
export const filterArbitraries = (parcels: readonly TwinParcel[]): Record<string, fc.Arbitrary<FilterBody>> =>
  Object.fromEntries(
    filters.flatMap((row) => {
      const bodies = bodiesOf(row, parcels);
      return bodies ? [[row.name, bodies]] : [];
    }),
  );

/** The counties of these parcels. */
export const scopeOf = (parcels: readonly TwinParcel[]): FilterBody => ({
  counties: [...new Set(parcels.map((parcel) => parcel.fips))],
});

/** Areas along the parcels' own edges and elsewhere. */
const areasOf = (parcels: readonly TwinParcel[]): string[] =>
  buildQueries(
    parcels.flatMap(({ geom }) => (geom instanceof Uint8Array ? [decodeMultiPolygon(geom)] : [])),
    3,
  );

/** Bodies without a scope, of one to five filters, unknown values kept in half of them, and an area in half. */
export function filterBodies(parcels: readonly TwinParcel[]): fc.Arbitrary<FilterBody> {
  return fc
    .tuple(
      fc.subarray(Object.values(filterArbitraries(parcels)), { minLength: 1, maxLength: 5 }),
      fc.subarray([...unknownableFilters], { minLength: 1 }),
      fc.boolean(),
      fc.option(fc.constantFrom(...areasOf(parcels)), { freq: 1 }),
    )
    .chain(([chosen, unknown, include, area]) =>
      fc.tuple(...chosen).map((some) => ({
        ...Object.assign({}, ...some),
        ...(include ? { include_unknown: unknown } : {}),
        ...(area === null ? {} : { geom_intersects: area }),
      })),
    )
    .filter((body) => {
      const { road_frontage_min: min = 0, road_frontage_max: max = Number.POSITIVE_INFINITY } = body as Record<
        string,
        number
      >;
      return min <= max;
    });
}
