/** GET comps/: comparable sales and listings of land in a county or around a point. */
import Type, { type Static } from 'typebox';
import { compColumnsByName, compStatuses } from '../comps/comp-columns.ts';
import { andThen } from '../land/answered.ts';
import { compHints } from '../land/hints.ts';
import { compNotices } from '../land/notices.ts';
import type { Circle, CompQuery, CompRow } from '../query/comp-query.ts';
import { type ErrorDetails, nonFieldErrors, validationError } from '../spec/errors.ts';
import { envelopeSchema, pageFields, pageOf } from '../spec/paging.ts';
import {
  choiceSchema,
  fipsSchema,
  listSchema,
  normalFips,
  numberSchema,
  oneOf,
  orNull,
  strict,
  type ValueOf,
  wholeNumberSchema,
} from '../spec/value-schemas.ts';
import { defineOperation, hinting, telling } from './operation.ts';
import { envelopeOf } from './parcel-list.ts';

const pageSizes = { standard: 100, maximum: 500 };
const standardMeters = 1000;
const maximumMeters = 200_000;
const maximumAgeDays = 36_500;
const millisecondsPerDay = 86_400_000;

const described = (name: string) => ({ description: compColumnsByName.get(name)?.docs ?? '' });
const text = (name: string) => Type.String(described(name));

export const compSchema = Type.Object(
  {
    id: Type.String({ description: 'UUID of the comp; repeated imports of its source keep it.' }),
    source: text('source'),
    status: oneOf(compStatuses, described('status')),
    address: text('address'),
    city: text('city'),
    state: text('state'),
    zip: text('zip'),
    county: text('county'),
    apn: text('apn'),
    latitude: Type.String({ description: 'Decimal degrees, WGS84, as a string.' }),
    longitude: Type.String({ description: 'Decimal degrees, WGS84, as a string.' }),
    lot_size: orNull(Type.Number(), described('lot_size')),
    price: Type.Number(described('price')),
    sold_date: orNull(Type.String(), {
      description: 'Day of the closed sale, as ISO 8601 date-time at midnight UTC; null unless SOLD.',
    }),
    days_on_market: orNull(Type.Integer(), described('days_on_market')),
    sale_type: text('sale_type'),
    url: text('url'),
    photos: Type.Array(Type.String(), { description: 'Addresses of photos of the listing.' }),
  },
  { ...strict, title: 'Comp' },
);
/** A comp as answers show it. */
export type Comp = Static<typeof compSchema>;

const acresSchema = (which: string) =>
  Type.Number({
    ...numberSchema(),
    minimum: 0,
    'x-expected': 'a number from 0',
    description: `Lot size in acres, at ${which}.`,
  });

const inputSchema = Type.Partial(
  Type.Object({
    fips: fipsSchema({
      description: 'Comps of this county. At least one of `fips` and `point` is needed; with both, both must hold.',
    }),
    point: Type.Array(numberSchema(), {
      minItems: 2,
      maxItems: 2,
      'x-expected': 'two numbers: longitude, then latitude (in a query: point=-72.1&point=43.2)',
      description: 'Center of a radius search: longitude, then latitude. In a query string two `point` parameters.',
    }),
    dist: wholeNumberSchema(1, maximumMeters, {
      description: 'Radius around `point` in meters over the ground; ignored without `point`.',
      default: standardMeters,
    }),
    status: listSchema(choiceSchema(compStatuses), { description: 'Any of these, in upper case.' }),
    age: wholeNumberSchema(0, maximumAgeDays, {
      description: 'Sold within the last `age` days. Comps without a sold date drop out.',
    }),
    acres_min: acresSchema('least'),
    acres_max: acresSchema('most'),
    ...pageFields(pageSizes),
  }),
  strict,
);
export type CompsInput = ValueOf<typeof inputSchema>;

/** @throws EngineError validation_error for rules between fields */
function checkInput({ fips, point, acres_min: least, acres_max: most }: CompsInput): void {
  const details: ErrorDetails = {};
  if (fips === undefined && point === undefined) details[nonFieldErrors] = ['at least one of fips and point is needed'];
  const [longitude = 0, latitude = 0] = point ?? [];
  if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) {
    details.point = [`expected longitude -180 to 180, then latitude -90 to 90, found ${JSON.stringify(point)}`];
  }
  if (least !== undefined && most !== undefined && least > most) {
    details.acres_min = [`expected at most acres_max (${most}), found ${least}`];
  }
  if (Object.keys(details).length > 0) throw validationError(details);
}

function circleOf({ point, dist = standardMeters }: CompsInput): Circle | undefined {
  const [longitude, latitude] = point ?? [];
  return longitude === undefined || latitude === undefined ? undefined : { longitude, latitude, meters: dist };
}

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Days that `age` spans: today (UTC) and this many before; a sale dated tomorrow is a typing error, not a new one. */
const soldWithin = (days: number, now: Date) => ({
  soldFrom: isoDay(now.getTime() - days * millisecondsPerDay),
  soldUntil: isoDay(now.getTime()),
});

/** Plain decimals (never `1e-7`), to a centimeter, without trailing zeros. */
const degrees = (value: number): string =>
  value
    .toFixed(7)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0');

const compOf = (row: CompRow): Comp => ({
  id: row.comp_id,
  source: row.source,
  status: row.status,
  address: row.address ?? '',
  city: row.city ?? '',
  state: row.state ?? '',
  zip: row.zip ?? '',
  county: row.county ?? '',
  apn: row.apn ?? '',
  latitude: degrees(row.latitude),
  longitude: degrees(row.longitude),
  lot_size: row.lot_size,
  price: row.price,
  sold_date: row.sold_date === null ? null : `${row.sold_date}T00:00:00Z`,
  days_on_market: row.days_on_market,
  sale_type: row.sale_type ?? '',
  url: row.url ?? '',
  photos: JSON.parse(row.photos) as string[],
});

/**
 * The query of an input, without its page; the app uses it for counts.
 * @throws EngineError validation_error for rules between fields
 */
export function compQueryOf(input: CompsInput, now: Date): Omit<CompQuery, 'page'> {
  checkInput(input);
  const circle = circleOf(input);
  return {
    ...(circle === undefined ? {} : { circle }),
    ...(input.fips === undefined ? {} : { fips: normalFips(input.fips) }),
    ...(input.status === undefined ? {} : { statuses: input.status }),
    ...(input.age === undefined ? {} : soldWithin(input.age, now)),
    ...(input.acres_min === undefined ? {} : { acresMin: input.acres_min }),
    ...(input.acres_max === undefined ? {} : { acresMax: input.acres_max }),
  };
}

export const listComps = defineOperation({
  name: 'list_comps',
  summary: 'List comparable sales and listings of land',
  docs: 'Comps of a county, around a point, or both. Nearest first with `point` (the geodesic on WGS84), else newest sale first and comps without a sold date last; ties by id. An unknown value meets no condition: `age` drops comps without a sold date, a range of acres those without a lot size.',
  http: { method: 'GET', path: 'comps/', status: 200 },
  scope: 'read',
  needsPlan: true,
  meteringKey: 'public_comps',
  priceDocs: '1 token per returned comp; 0 when nothing matches',
  quote: (input) => pageOf(input, pageSizes).size,
  price: (list) => list.results.length,
  input: inputSchema,
  output: envelopeSchema(compSchema),
  hasNotices: true,
  table: {
    columns: Object.keys(compSchema.properties),
    // Addresses contain no spaces, so a space separates them in one cell.
    rows: (list) => list.results.map((comp) => ({ ...comp, photos: comp.photos.join(' ') })),
    total: (list) => list.count,
  },
  chargedPerRow: true,
  pages: pageSizes,
  run: (input, context) => {
    const query = compQueryOf(input, context.now());
    const page = pageOf(input, pageSizes);
    return context.land.reading((land) =>
      telling(
        context,
        () => compNotices(land, query.fips),
        () =>
          andThen(land.comps({ ...query, page }), ({ count, results }) =>
            hinting(
              context,
              () => (count > 0 ? [] : compHints(land, query, maximumMeters)),
              () => envelopeOf({ count, results: results.map(compOf) }, page, context),
            ),
          ),
      ),
    );
  },
  examples: [
    { title: 'Land sold in a county, newest first', input: { fips: '99001', status: ['SOLD'], page_size: 2 } },
    {
      title: 'Current and past listings within five kilometers, five to forty acres',
      input: { point: [-71.8, 44.1], dist: 5000, acres_min: 5, acres_max: 40, page_size: 2 },
    },
  ],
});
