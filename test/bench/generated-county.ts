/** A seeded county of any size for the bench: jittered lots on a lattice, skewed names, nulls where counties have them. */
import fs from 'node:fs';
import { createRandom } from '../../data/sample/random.ts';

const surnames = [
  'SMITH',
  'JOHNSON',
  'GARCIA',
  'MÜLLER',
  "O'BRIEN",
  'NGUYEN',
  'PATEL',
  'LEE',
  'BROWN',
  'MILLER',
  'TAYLOR',
  'KIM',
  'LOPEZ',
  'NÚÑEZ',
  'WRIGHT',
  'YOUNG',
];
const firstNames = ['JOHN', 'MARY', 'ANA', 'WEI', 'OMAR', 'LENA', 'PAUL', 'RUTH', 'IVAN', 'SARA'];
const endings = ['', '', '', '', '', ' & MARY', ' TRUSTEE', ' LLC', ' FAMILY TRUST', ' INC'];
const zoning = ['R-1', 'RA-5', 'AG', 'C-1', 'FR'];

export interface GeneratedCounty {
  /** Newline GeoJSON whose properties are dictionary columns. */
  readonly file: string;
  readonly parcels: number;
  readonly west: number;
  readonly south: number;
  /** Degrees of one lot. */
  readonly step: number;
  /** Lots of one row. */
  readonly width: number;
}

/** Writes the county to `file`; the same seed gives the same bytes. */
export function writeGeneratedCounty(file: string, parcels: number, seed: number): GeneratedCounty {
  const seeded = createRandom(seed);
  const random = () => seeded.next();
  const width = Math.ceil(Math.sqrt(parcels));
  const county = { file, parcels, west: -98, south: 38, step: 0.0015, width };
  const descriptor = fs.openSync(file, 'w');
  let lines: string[] = [];
  for (let i = 0; i < parcels; i++) {
    lines.push(
      JSON.stringify({
        type: 'Feature',
        geometry: { type: 'Polygon', coordinates: [ringOf(county, i, random)] },
        properties: propertiesOf(i, random),
      }),
    );
    if (lines.length === 2000 || i === parcels - 1) {
      fs.writeSync(descriptor, `${lines.join('\n')}\n`);
      lines = [];
    }
  }
  fs.closeSync(descriptor);
  return county;
}

/** A lot of 8 to 24 corners; coordinates at seven decimals, as counties publish them. */
function ringOf({ west, south, step, width }: GeneratedCounty, i: number, random: () => number): number[][] {
  const x = west + (i % width) * step;
  const y = south + Math.floor(i / width) * step;
  const side = 2 + Math.floor(random() * 5);
  const jitter = () => (random() - 0.5) * step * 0.02;
  const along = (dx: number, dy: number, turn: (t: number) => [number, number]) =>
    Array.from({ length: side }, (_, k) => {
      const [tx, ty] = turn(k / side);
      return [rounded(x + (dx + tx) * step + jitter()), rounded(y + (dy + ty) * step + jitter())];
    });
  const ring = [
    ...along(0, 0, (t) => [t, 0]),
    ...along(1, 0, (t) => [0, t]),
    ...along(1, 1, (t) => [-t, 0]),
    ...along(0, 1, (t) => [0, -t]),
  ];
  return [...ring, ring[0] ?? []];
}

const rounded = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;

function propertiesOf(i: number, random: () => number): Record<string, unknown> {
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() ** 2 * values.length)] as Value;
  const maybe = <Value>(value: Value, share: number): Value | null => (random() < share ? value : null);
  const acres = Math.round(Math.exp(random() * 6 - 1) * 100) / 100;
  const vacant = random() < 0.4;
  const land = Math.round(acres ** 0.7 * (2000 + random() * 8000));
  const built = vacant ? 0 : Math.round(40_000 + random() * 300_000);
  const away = random() < 0.3;
  return {
    apn: `${100 + Math.floor(i / 1000)}-${i % 1000}`,
    owner_name: `${pick(surnames)} ${pick(firstNames)}${pick(endings)}`,
    mailing_address: `${Math.floor(random() * 900) + 1} MAIN STREET`,
    mailing_city: away ? 'DAYTON' : 'PLAINVILLE',
    mailing_state: away ? 'OH' : 'KS',
    mailing_zip: away ? '45402' : `670${10 + Math.floor(random() * 80)}`,
    situs_zip: maybe(`670${10 + Math.floor(random() * 80)}`, 0.9),
    situs_address: maybe(`${i} COUNTY ROAD ${i % 90}`, 0.8),
    acres: maybe(acres, 0.95),
    structure_count: maybe(vacant ? 0 : 1 + Math.floor(random() * 3), 0.9),
    year_built: vacant ? null : maybe(1900 + Math.floor(random() * 125), 0.9),
    zoning: maybe(pick(zoning), 0.7),
    land_use_code: String(100 + Math.floor(random() * 40)),
    assessed_land_value: land,
    assessed_improvement_value: built,
    assessed_total_value: land + built,
    market_total_value: maybe(Math.round((land + built) * 1.2), 0.8),
    last_sale_date: maybe(`${1980 + Math.floor(random() * 46)}-0${1 + Math.floor(random() * 9)}-15`, 0.8),
    last_sale_price: maybe(Math.round((land + built) * (0.5 + random())), 0.6),
    flood_zone_percent: maybe(random() < 0.8 ? 0 : Math.round(random() * 100), 0.85),
    wetlands_percent: maybe(random() < 0.7 ? 0 : Math.round(random() * 100), 0.85),
    road_frontage_ft: maybe(Math.round(random() * 800), 0.85),
    landlocked: maybe(random() < 0.06, 0.85),
  };
}
