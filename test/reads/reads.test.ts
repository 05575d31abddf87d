/** The table of reads: typed, checked, and free. */
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { openEngine } from '../../engine/engine.ts';
import { exportFormatNames } from '../../engine/exporting/index.ts';
import { operationsByName } from '../../engine/operations/index.ts';
import {
  type ReadInputOf,
  type ReadName,
  type ReadOutputOf,
  reads,
  readTable,
  runRead,
} from '../../engine/reads/index.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { runChange } from '../../engine/work/index.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';

const filter = { county: '99001', acres_min: 5, flood_zone_percent_max: 10 };

/** Reads answered by a worker or another program: tests of jobs, books, backups, imports, photos and the listener ask them. */
const askedElsewhere = [
  'book_page',
  'book_plan',
  'look_file',
  'make_backup',
  'make_share_copy',
  'map_sheet',
  'share_page',
  'photos_in',
  'plan_photos',
  'preview_mapping',
  'propose_list',
  'propose_mapping',
  'save_problems',
  'test_listener',
] as const satisfies readonly ReadName[];

/** One input for each other read; a read without one fails below. */
const inputs: { [Name in Exclude<ReadName, (typeof askedElsewhere)[number]>]: ReadInputOf<Name> } = {
  api_keys: {},
  listener: {},
  position_in_parcel: { longitude: 0, latitude: 0, accuracy_meters: 5 },
  data_place: {},
  feeds: {},
  field_marks: {},
  visits: { property_id: 1 },
  visit_draft: { parcels: [1] },
  tell_walk: { name: 'w.csv', bytes: Buffer.from('name,lat,lon\npin,40.1,-100.1\n').toString('base64') },
  home: {},
  jobs: {},
  datasets: {},
  import_changes: { import_id: 1 },
  list_folder: {},
  county_place: { words: 'sullivan nh', bounds: [-72.2, 43.1, -72, 43.2] },
  sources: { fips: '33019' },
  count_properties: { filter },
  coverage: { filter },
  export_formats: {},
  facet: { filter, name: 'land_use_codes' },
  histogram: { filter, name: 'acres' },
  opt_out_list: {},
  neighbours: { id: 1, within_feet: 300 },
  suspect_sales: { fips: '99001' },
  owner_card: { id: 1 },
  owner_portfolio: { id: 1 },
  match_points: { filter },
  result_bounds: { filter, view: [-180, -90, 180, 90] },
  map_legend: { filter, column: 'value_per_acre' },
  suggest: { text: '12-2', county: '99001' },
  result_page: { filter, columns: ['apn', 'acres', 'owner_out_of_state'], ordering: '-acres', limit: 5, find: 1 },
  parcel: { id: 1 },
  map_sources: {},
  matching_in_tile: { filter, z: 13, x: 2448, y: 2998 },
  matching_density: { filter, z: 10, x: 306, y: 374 },
  tag_legend: { filter, most: 5 },
  tagged_in_tile: { filter, groups: [[1], [2, 3]], z: 13, x: 2448, y: 2998 },
  parcel_at: { longitude: -71.8, latitude: 44.1 },
  parcel_shapes: { ids: [1, 2, 999999] },
  saved_searches: {},
  lists: {},
  list_page: { of: { starred: true }, columns: ['apn', 'acres'], ordering: '-value' },
  list_runs: { list_id: 1 },
  list_quote: { list_id: 1 },
  mailings: {},
  mailing: { mailing_id: 1 },
  marks: {},
  parcel_work: { id: 1 },
  deals: { due: ['overdue', 'none'], today: '2026-11-28' },
  changed_owners: {},
  do_not_mail: {},
  journal: {},
  count_comps: { point: [-71.8, 44.1], dist: 5000 },
  stored_value: { id: 1 },
  no_value: { id: 1 },
  stored_trace: { person: { first_name: 'Ada', last_name: 'Nobodaddy', zip: '00142' } },
  trace_preview: { id: 2 },
  market_board: {},
  regions: { search: 'ald' },
  usage_report: { limit: 5 },
  plan: {},
  home_state: {},
  window_memory: {},
  diagnostics: {},
  drop_question: { asker: 'a screen that asked nothing' },
  kept_list_mappings: { as: 'comps' },
  list_mappings: {},
  magnetic_declination: { longitude: -71.8, latitude: 44.1 },
  make_deals_csv: {},
  make_letters_csv: { mailing_id: 2 },
  make_export: { what: { ids: [1, 2] }, format: 'csv' },
  make_field_export: { format: 'gpx' },
  make_mail_merge: { what: { ids: [1, 2] }, format: 'csv' },
  make_tsv: { what: { ids: [1, 2] } },
  adjoiner_map: { id: 1, within_feet: 100 },
  parcel_sheet: { id: 1 },
  look_share: { what: { ids: [1, 2] } },
  imagery_kind: { path: import.meta.filename },
};

interface SampleParcel {
  readonly property_id: number;
  readonly apn: string;
  readonly situs_address: string;
  readonly owner_name: string;
  readonly point_lat: number;
  readonly point_lon: number;
}

const ledgerRows = (engine: ReturnType<typeof engineOn>) =>
  engine.account.file.get<{ n: number }>('SELECT count(*) AS n FROM ledger')?.n;

test('every read answers what its schema says and leaves the ledger alone', async () => {
  const engine = engineOn(sampleHome());
  await runChange(engine, 'make_list', { name: 'List', of: { ids: [1, 2] } });
  await runChange(engine, 'make_mailing', { name: 'Letters', list_id: 1 });
  await runChange(engine, 'make_mailing', { name: 'Written letters', list_id: 1 });
  await runChange(engine, 'write_letters', { mailing_id: 2 });
  for (const read of reads) {
    if ((askedElsewhere as readonly string[]).includes(read.name)) continue;
    const output = await runRead(engine, read.name, inputs[read.name as keyof typeof inputs]);
    expect([...Compile(read.output as TSchema).Errors(output)], read.name).toEqual([]);
  }
  expect(ledgerRows(engine)).toBe(0);
});

test('each read stands in the table under its own name, and none is an operation of the API', () => {
  expect(Object.entries(readTable).filter(([name, read]) => read.name !== name)).toEqual([]);
  expect(reads.filter((read) => operationsByName.has(read.name))).toEqual([]);
});

test('what does not fit is refused field by field, in the words of the API', () => {
  const engine = engineOn(sampleHome());
  const refused = (name: string, input: unknown): EngineError => {
    try {
      runRead(engine, name, input);
    } catch (error) {
      if (error instanceof EngineError) return error;
      throw error;
    }
    throw new Error(`${name} was answered`);
  };
  expect(refused('facett', {}).message).toBe('There is no read "facett"; did you mean facet?');
  expect(refused('count_properties', { filter: { county: '99001', acres_min: 'five' } }).details).toEqual({
    acres_min: ['expected a number, found "five"'],
  });
  expect(refused('count_properties', { filter: { acres_min: 5 } }).message).toMatch(/at least one scope is needed/);
  expect(refused('count_properties', { filter: { ...filter, only_unknown: ['county'] } }).details).toEqual({
    only_unknown: ['expected a filter of values that may be unknown, found "county"'],
  });
  expect(refused('parcel', { id: 999_999_999 }).code).toBe('not_found');
});

test('an empty home says so, and still knows its prices', () => {
  const engine = openEngine({ home: emptyHome() });
  const home = runRead(engine, 'home', {}) as ReadOutputOf<'home'>;
  engine.close();
  expect(home).toMatchObject({ kind: null, counties: [], datasets: [] });
  expect(home.prices.find(({ operation }) => operation === 'filter_properties')?.tokens).toBe(
    operationsByName.get('filter_properties')?.quote({} as never),
  );
});

test('the export menus offer what the engine writes', () => {
  const engine = engineOn(sampleHome());
  const { parcels, mail } = runRead(engine, 'export_formats', {}) as ReadOutputOf<'export_formats'>;
  expect(parcels.map(({ name }) => name)).toEqual(exportFormatNames);
  expect(mail.map(({ docs }) => docs)).toEqual([
    'one row per mailing address',
    'the same for any program',
    'PDF, 30 on a Letter sheet',
    'PDF, 10 on a Letter sheet',
    'PDF, 21 on an A4 sheet',
  ]);
});

test('suggestions find a parcel by part of its APN, by address, by owner, and by coordinates', () => {
  const engine = engineOn(sampleHome());
  const row = engine.land.file.get<SampleParcel>(
    "SELECT * FROM parcels WHERE status = 'current' AND situs_address GLOB '[1-9]*' AND geom IS NOT NULL AND owner_name NOT GLOB '*&*' LIMIT 1 OFFSET 40",
  );
  if (!row) throw new Error('the sample has no such parcel');
  const suggest = (text: string) => runRead(engine, 'suggest', { text, limit: 20 }) as ReadOutputOf<'suggest'>;
  const ids = (text: string) => suggest(text).parcels.map((parcel) => parcel.property_id);
  expect(ids(row.apn)).toContain(row.property_id);
  expect(ids(row.situs_address.toLowerCase())).toContain(row.property_id);
  expect(ids(row.owner_name.split(' ').reverse().join(' ').toLowerCase())).toContain(row.property_id);
  const { place, parcels } = suggest(`${row.point_lat}, ${row.point_lon}`);
  expect(place).toEqual({ latitude: row.point_lat, longitude: row.point_lon });
  expect(parcels.map((parcel) => parcel.property_id)).toContain(row.property_id);
});
