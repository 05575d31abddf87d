/** Sales and listings of bare land, in the form of a listing service. */
import { latitudeOf, longitudeOf } from './fabric.ts';
import type { ParcelRecord } from './parcels.ts';
import { contains, type Point } from './plane.ts';
import { priceLevel } from './prices.ts';
import type { Random } from './random.ts';
import { dayMs, isoDate, workday, yearOf } from './record-parts.ts';
import type { SampleComp } from './types.ts';

const today = Date.UTC(2026, 10, 2);
const earliest = Date.UTC(2021, 0, 4);

type Dated = Pick<SampleComp, 'price' | 'list_date' | 'sold_date' | 'days_on_market'>;

export function buildComps(records: readonly ParcelRecord[], random: Random): SampleComp[] {
  const vacant = random.shuffle(
    records.filter(
      (r) => r.shape.kind === 'lot' && r.geometry && !r.use.improved && r.use.class !== 'E' && r.shape.acres >= 0.06,
    ),
  );
  const share = records.length / 6045;
  const [soldCount, pendingCount, activeCount] = [500, 60, 340].map((n) => Math.max(4, Math.round(n * share)));
  const sold = vacant.filter((record) => recordedSale(record) !== null).slice(0, soldCount);
  const taken = new Set(sold);
  const free = vacant.filter((record) => !taken.has(record));
  const pending = free.slice(0, pendingCount);
  const active = free.slice(pending.length, pending.length + (activeCount ?? 0));
  // Where the county recorded too few recent sales, adds others that its table does not have yet.
  const late = free.slice(pending.length + active.length).slice(0, Math.max(0, (soldCount ?? 0) - sold.length));
  const rows = [
    ...sold.map((record) => ['SOLD', record, saleOf(record, random)] as const),
    ...late.map((record) => ['SOLD', record, unrecordedSale(record, random)] as const),
    ...pending.map((record) => ['PENDING', record, listingOf(record, 90, random)] as const),
    ...active.map((record) => ['ACTIVE', record, listingOf(record, 420, random)] as const),
  ];
  return rows.map(([status, record, dated], i) => compOf(status, record, dated, i, random));
}

/** A sale at arm's length since 2021 in the parcel's own record. */
function recordedSale(record: ParcelRecord): { time: number; price: number } | null {
  const { last_sale_date: date, last_sale_price: price } = record.properties;
  if (typeof date !== 'string' || typeof price !== 'number' || price <= 1) return null;
  const time = Date.parse(date);
  return time >= earliest ? { time, price } : null;
}

function dated(sold: number, price: number, random: Random): Dated {
  const days = Math.round(12 + 110 * Math.exp(0.75 * random.normal()));
  return {
    price,
    list_date: random.chance(0.15) ? null : isoDate(sold - days * dayMs),
    sold_date: isoDate(sold),
    days_on_market: random.chance(0.08) ? null : days,
  };
}

function saleOf(record: ParcelRecord, random: Random): Dated {
  const sale = recordedSale(record) ?? { time: earliest, price: record.landPrice };
  return dated(sale.time, sale.price, random);
}

function unrecordedSale(record: ParcelRecord, random: Random): Dated {
  const time = workday(earliest + Math.floor(random.next() * ((today - earliest) / dayMs)) * dayMs - 3 * dayMs);
  return dated(
    Math.max(earliest, time),
    roundPrice(record.landPrice * priceLevel(yearOf(time)) * Math.exp(0.26 * random.normal())),
    random,
  );
}

/** Asks are about eight percent above sale prices. */
function listingOf(record: ParcelRecord, longest: number, random: Random): Dated {
  const days = Math.min(longest, Math.round(4 + (longest / 4) * -Math.log(1 - random.next())));
  return {
    price: roundPrice(record.landPrice * 1.08 * Math.exp(0.27 * random.normal())),
    list_date: random.chance(0.04) ? null : isoDate(today - days * dayMs),
    sold_date: null,
    days_on_market: random.chance(0.06) ? null : days,
  };
}

const roundPrice = (dollars: number): number =>
  dollars > 20_000 ? Math.round(dollars / 1000) * 1000 - 100 : Math.max(500, Math.round(dollars / 100) * 100);

/** Anywhere on the parcel: a listing's pin is seldom in the middle. */
function pinOf(record: ParcelRecord, random: Random): Point {
  const { middle, points, acres } = record.shape;
  const reach = Math.sqrt(acres * 4046.86) * 0.2;
  const pin = { x: middle.x + reach * random.normal(), y: middle.y + reach * random.normal() };
  return contains(points, pin) && record.geometry?.coordinates.length === 1 ? pin : middle;
}

const text = (record: ParcelRecord, name: string): string => {
  const value = record.properties[name];
  return typeof value === 'string' ? value : '';
};

function compOf(
  status: SampleComp['status'],
  record: ParcelRecord,
  when: Dated,
  index: number,
  random: Random,
): SampleComp {
  const { shape } = record;
  const pin = pinOf(record, random);
  const id = `${status === 'SOLD' ? 'S' : 'L'}${String(100_000 + index * 7)}`;
  const listed = random.chance(0.62);
  const photos = listed ? random.integer(0, 4) : 0;
  const acres =
    typeof record.properties.acres === 'number' ? record.properties.acres : Math.round(shape.acres * 100) / 100;
  return {
    source_id: id,
    source: random.weighted([
      ['Alder MLS (synthetic)', 7],
      ['Quillstone Land Listings (synthetic)', 3],
      ['Owner listing (synthetic)', 1],
    ]),
    status,
    address: text(record, 'situs_address'),
    city: shape.settlement.name,
    state: 'ZZ',
    zip: shape.settlement.zip,
    county: random.chance(0.8) ? 'Alder County' : 'Alder',
    apn: random.chance(0.09) ? '' : text(record, 'apn'),
    latitude: latitudeOf(pin.y),
    longitude: longitudeOf(pin.x),
    lot_size: random.chance(0.06) ? null : acres,
    ...when,
    sale_type:
      status === 'SOLD'
        ? random.weighted([
            ['Sold', 8],
            ['Closed, cash', 2],
            ['Auction', 0.5],
          ])
        : random.weighted([
            ['Land for sale', 8],
            ['For sale by owner', 2],
            ['Auction', 0.3],
          ]),
    url: listed ? `https://listings.invalid/alder/${id.toLowerCase()}` : '',
    photos: Array.from({ length: photos }, (_, n) => `https://listings.invalid/alder/${id.toLowerCase()}/${n + 1}.jpg`),
  };
}
