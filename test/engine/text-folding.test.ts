/** Texts are compared without case, accents and repeated spaces, by the column index and by SQL alike. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { indexStaleCounties } from '../../engine/columns/update-index.ts';
import type { Engine } from '../../engine/engine.ts';
import { foldText } from '../../engine/spec/text-fold.ts';
import { type FixtureHome, fixtureFips, openFixtureHome } from '../support/fixture-home.ts';

let fixture: FixtureHome;
let engine: Engine;
beforeAll(() => {
  fixture = openFixtureHome();
  engine = fixture.engine;
  const rows: [number, string, string][] = [
    [3, 'LE GOFF MAËLLE', 'SAINT  RÉMY'],
    [4, 'le goff mae\u0308lle', 'Saint Remy'],
    [5, 'GOFFMAELLE LE', 'SAINTREMY'],
  ];
  for (const [id, owner, place] of rows)
    engine.land.file.run('UPDATE parcels SET owner_name = ?, subdivision = ? WHERE property_id = ?', owner, place, id);
});
afterAll(() => fixture.close());

const filter = async (body: Record<string, unknown>): Promise<number[]> => {
  const { data } = await engine.callUnchecked(
    'filter_properties',
    { county: fixtureFips, ...body },
    { mode: 'script' },
  );
  return (data as { results: { property_id: number }[] }).results.map(({ property_id: id }) => id);
};
const search = async (owner: string): Promise<number[]> => {
  const input = { fips: fixtureFips, owner_name: owner };
  const { data } = await engine.callUnchecked('search_properties', input, { mode: 'script' });
  return (data as { results: { property_id: number }[] }).results.map(({ property_id: id }) => id);
};

/** Edits made the column index stale, so SQL answers first. */
for (const [by, prepare] of [
  ['SQL', () => {}],
  ['the column index', () => expect(indexStaleCounties(engine.land.file)).toEqual([fixtureFips])],
] as const)
  test(`maelle finds MAËLLE and the other way round, by ${by}`, async () => {
    prepare();
    for (const owner of ['maelle', 'MAËLLE', 'Mae\u0308lle']) {
      expect(await filter({ owner_name_include_words: [owner] })).toEqual([3, 4]);
      expect((await search(owner)).sort()).toEqual([3, 4, 5]);
    }
    expect(await filter({ subdivisions: ['saint remy'] })).toEqual([3, 4]);
    expect(await filter({ owner_1_full_name: 'Le  Goff Maëlle ' })).toEqual([3, 4]);
  });

test('a folded text is folded; letters that are no accented ones stay', () => {
  for (const text of ['Maëlle', ' a  b ', 'Straße', 'Łucja Ñandú', 'İstanbul', 'plain text', ''])
    expect(foldText(foldText(text))).toBe(foldText(text));
  expect(foldText('Łucja  Ñandú')).toBe('ŁUCJA NANDU');
});
