/**
 * A home with fifty parcels put straight into the store, for tests that need few and exact ones and no import.
 * Alder County, FIPS 99001, state ZZ: no real place. Parcel 1 to 48 are squares in a grid of eight a row; 49 has only
 * a point; 50 has no place at all; 51 is retired, so it is outside every filter.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Engine, type EngineOptions, openEngine } from '../../engine/engine.ts';
import { encodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { apnKey } from '../../engine/spec/text-fold.ts';

export const fixtureFips = '99001';
/** Parcels that filters see. */
export const fixtureCount = 50;

const west = -72.2;
const south = 43.1;
/** Degrees of a parcel's side, and between two. */
const side = 0.002;
const step = 0.003;

export const owners = [
  'MARSH ELLEN',
  'OAKES JOHN & RUTH',
  'ALDER RIDGE LLC',
  'TOWN OF WRENFIELD',
  '=SUM(A1), "THE" TRUST\nOF ÄLDER',
];

export interface FixtureParcel {
  readonly property_id: number;
  readonly apn: string;
  /** Null for every tenth parcel. */
  readonly acres: number | null;
  readonly owner_name: string;
  readonly situs_zip: string;
  readonly status: string;
}

const place = (id: number): [number, number] => [west + ((id - 1) % 8) * step, south + Math.floor((id - 1) / 8) * step];

/** The square of a parcel as WKT, for `geom_intersects`. */
export function fixtureSquare(id: number): string {
  const corners = squareOf(id);
  const text = [...corners.keys()].filter((index) => index % 2 === 0).map((i) => `${corners[i]} ${corners[i + 1]}`);
  return `POLYGON ((${text.join(', ')}))`;
}

function squareOf(id: number): Float64Array {
  const [x, y] = place(id);
  return Float64Array.of(x, y, x + side, y, x + side, y + side, x, y + side, x, y);
}

export const fixtureParcels: readonly FixtureParcel[] = Array.from({ length: fixtureCount + 1 }, (_, index) => {
  const id = index + 1;
  return {
    property_id: id,
    apn: `${String(100 + index)}-${id}`,
    acres: id % 10 === 0 ? null : id / 2,
    owner_name: owners[index % owners.length] ?? '',
    situs_zip: id % 2 === 0 ? '00142' : '00141',
    status: id > fixtureCount ? 'retired' : 'current',
  };
});

function rowOf(parcel: FixtureParcel): Record<string, string | number | Buffer | null> {
  const { property_id: id } = parcel;
  const [x, y] = place(id);
  const hasPoint = id !== 50;
  const owner = id % owners.length;
  return {
    ...parcel,
    fips: fixtureFips,
    dataset_id: 1,
    apn_key: apnKey(parcel.apn),
    calculated_acres: id <= 48 ? 9 : null,
    situs_address: id % 7 === 0 ? null : `${id} MILL RD`,
    situs_city: 'WRENFIELD',
    situs_state: 'ZZ',
    mailing_address: id % 6 === 0 ? null : `${owner} MAIN ST`,
    mailing_key: id % 6 === 0 ? null : `${owner} MAIN ST|00141`,
    owner_type: parcel.owner_name.endsWith('LLC') ? 'company' : 'individual',
    owner_out_of_state: id % 3 === 0 ? 1 : id % 3 === 1 ? 0 : null,
    structure_count: id % 4,
    year_built: id % 4 === 0 ? null : 1900 + id,
    market_total_value: id * 10_000,
    last_sale_date: id % 5 === 0 ? null : `20${String(10 + (id % 15))}-0${1 + (id % 9)}-15`,
    slope_area_percent: id % 8 === 0 ? null : JSON.stringify([90, 70, 50, 40, 30, 20, 10, 5, 2, 1, 0]),
    point_lon: hasPoint ? x + side / 2 : null,
    point_lat: hasPoint ? y + side / 2 : null,
    geom: id <= 48 ? encodeMultiPolygon([[squareOf(id)]]) : null,
  };
}

/** Fills an open, empty home. */
export function fillFixture({ land }: Engine): void {
  const { file } = land;
  file.transaction(() => {
    file.run("INSERT OR IGNORE INTO counties (fips, state, name) VALUES (?, 'ZZ', 'Alder County')", fixtureFips);
    file.run("INSERT INTO home_kind (id, kind) VALUES (1, 'sample')");
    file.run(
      `INSERT INTO datasets (dataset_id, fips, source_name, source_date, imported_at, mapping, report)
       VALUES (1, ?, 'fixture', '2026-01-31', '2026-02-01T00:00:00.000Z', '{}', '{}')`,
      fixtureFips,
    );
    for (const parcel of fixtureParcels) {
      const row = rowOf(parcel);
      const columns = Object.keys(row);
      file.run(
        `INSERT INTO parcels (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        ...Object.values(row),
      );
    }
  });
}

/** As many more, with nothing known but the county: for queries refused for their size. */
export function putPlainParcels({ land }: Engine, count: number): void {
  land.file.run(
    `INSERT INTO parcels (fips, dataset_id, status)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT ?, 1, 'current' FROM n`,
    count,
    fixtureFips,
  );
}

export interface FixtureHome {
  readonly engine: Engine;
  /** Closes the engine and removes the folder. */
  close(): void;
}

export function openFixtureHome(options: Partial<EngineOptions> = {}): FixtureHome {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-fixture-'));
  const engine = openEngine({ home, ...options });
  fillFixture(engine);
  return {
    engine,
    close: () => {
      engine.close();
      fs.rmSync(home, { recursive: true, force: true });
    },
  };
}
