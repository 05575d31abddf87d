/** How the sample comes into a home: unpacked whole, with an identity of its own, and never over anything else. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { directoryFormat } from '../../engine/columns/county-directory.ts';
import type { Engine } from '../../engine/engine.ts';
import { undoImport } from '../../engine/importing/merge/undo-import.ts';
import { openHomeAtStart } from '../../engine/open-home.ts';
import { runRead } from '../../engine/reads/index.ts';
import { keepSampleGround, placeSample } from '../../engine/sample-county.ts';
import type { EngineError } from '../../engine/spec/errors.ts';
import { homeIdOf } from '../../engine/store/home-identity.ts';
import { getTile } from '../../engine/tiles/index.ts';
import { runChange } from '../../engine/work/index.ts';
import { emptyHome } from '../support/homes.ts';

function openSample(home: string, isSample = true): Engine {
  const engine = openHomeAtStart({ home, create: true, keepsIndexes: false }, { isSample, tell: () => {} });
  onTestFinished(() => engine.close());
  return engine;
}

const count = (engine: Engine, file: 'land' | 'people', table: string) =>
  engine[file].file.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n;

test('a home of the sample has parcels, comps, layers, contacts and heights, and answers a search', async () => {
  const engine = openSample(emptyHome());
  await keepSampleGround(engine);
  expect(engine.land.kind).toBe('sample');
  expect(engine.land.parcelCount).toBeGreaterThan(6000);
  expect(count(engine, 'land', 'layers')).toBe(10);
  expect(count(engine, 'land', 'comps')).toBe(900);
  expect(count(engine, 'people', 'contacts')).toBeGreaterThan(1000);
  expect(engine.land.terrain?.get('SELECT fips FROM terrains')).toEqual({ fips: '99001' });
  // Else it is of an older version, and each new home makes it again: npm run sample
  expect(engine.land.file.get('SELECT state, format FROM column_indexes')).toEqual({
    state: 'current',
    format: directoryFormat,
  });
  expect((await engine.call('filter_properties', { county: '99001', acres_min: 100 })).data.count).toBeGreaterThan(50);
});

test('its map has a photo of the air that is sharp at once; where the user took it off, it stays off', async () => {
  const engine = openSample(emptyHome());
  await keepSampleGround(engine);
  const photos = () => runRead(engine, 'map_sources', {}).bases;
  expect(photos()).toMatchObject([{ source: 'photo-1', photo: { files: 2, state: 1, missing: [] } }]);
  // The crossing in the middle of Wrenfield, at 71.835 west and 44.099 north: 19,690.8 and 23,805.1 of 2^16.
  expect(Buffer.from((await getTile(engine, 'photo-1', 16, 19_690, 23_805)) ?? []).toString('hex', 0, 3)).toBe(
    'ffd8ff',
  );
  await runChange(engine, 'remove_imagery', { id: 1 });
  expect(fs.readdirSync(path.join(engine.home, 'imagery'))).toEqual([]);
  await keepSampleGround(engine);
  expect(photos()).toEqual([]);
});

test('two homes of the sample have ids of their own, files for their user alone, and an account without keys', () => {
  const [one, other] = [openSample(emptyHome()), openSample(emptyHome())];
  const ids = [one, other].map(({ land, people, account }) =>
    [land, people, account].map(({ file }) => homeIdOf(file)),
  );
  expect(ids.map((of) => new Set(of).size)).toEqual([1, 1]);
  expect(ids[0]?.[0]).not.toBe(ids[1]?.[0]);
  expect(one.account.file.all('SELECT * FROM api_keys')).toEqual([]);
  expect(one.settled.sentences).toEqual([]);
  for (const name of fs.readdirSync(one.home, { recursive: true, encoding: 'utf8' }))
    expect(fs.statSync(path.join(one.home, name)).mode & 0o077, name).toBe(0);
});

test('a start that was killed while unpacking begins again: what is whole stays, and the land comes last', () => {
  const home = emptyHome();
  placeSample(home);
  // As it is left by a kill between two files, and within one.
  fs.renameSync(path.join(home, 'land.sqlite'), path.join(home, 'land.sqlite.4711.new'));
  fs.truncateSync(path.join(home, 'land.sqlite.4711.new'), 70_000);
  const engine = openSample(home);
  expect(engine.land.parcelCount).toBeGreaterThan(6000);
  expect(count(engine, 'people', 'contacts')).toBeGreaterThan(1000);
});

test('an empty home becomes the sample’s, and one whose import was undone has it again, with the same numbers', () => {
  const home = emptyHome();
  openSample(home, false).close();
  const engine = openSample(home);
  const ids = (of: Engine) => of.land.file.all('SELECT property_id, apn FROM parcels ORDER BY property_id');
  const before = ids(engine);
  expect(count(engine, 'people', 'contacts')).toBeGreaterThan(1000);
  undoImport(engine.land, { importId: 1, now: engine.now });
  expect(engine.land.parcelCount).toBe(0);
  engine.close();
  expect(ids(openSample(home))).toEqual(before);
});

test('a home that another program has open is not replaced, and neither is one of real data', () => {
  const home = emptyHome();
  const open = openSample(home, false);
  const codeOf = (work: () => unknown) => {
    try {
      work();
      return null;
    } catch (error) {
      return (error as EngineError).code;
    }
  };
  expect(codeOf(() => openSample(home))).toBe('file_locked');
  open.land.file.run("INSERT INTO home_kind (id, kind) VALUES (1, 'real')");
  open.close();
  expect(codeOf(() => openSample(home))).toBe('sample_and_real');
});
