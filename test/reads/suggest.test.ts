/** The search box answered by the column index, against the same answered by SQL. */
import { expect, test } from 'vitest';
import { idsByColumns, liveSuggest } from '../../engine/query/live-suggest.ts';
import { idsByTextBySql } from '../../engine/query/sql-filters/live-by-sql.ts';
import { createRandom } from '../sample-maker/random.ts';
import { engineOn, realHome, sampleHome } from '../support/homes.ts';
import { realDataOrSkip } from '../support/shared-data.ts';

interface Row {
  readonly apn: string | null;
  readonly owner_name: string | null;
  readonly situs_address: string | null;
}

/** Texts as people type them: parts of an APN, an address, a name, in any case, with words in another order. */
function typedTexts(rows: readonly Row[], count: number): string[] {
  const random = createRandom(5);
  const part = (text: string) => text.slice(random.integer(0, 2), random.integer(2, text.length));
  return Array.from({ length: count }, () => {
    const row = rows[random.integer(0, rows.length - 1)] as Row;
    const text = [row.apn, row.situs_address, row.owner_name][random.integer(0, 2)] ?? '12';
    const words = text.split(' ');
    return (
      [text, part(text), text.toLowerCase(), words.reverse().join(' '), words[0] ?? ''][random.integer(0, 4)] ?? ''
    );
  });
}

function agree(home: string, count: number): void {
  const engine = engineOn(home);
  const { land } = engine;
  const rows = land.file.all<Row>("SELECT apn, owner_name, situs_address FROM parcels WHERE status = 'current'");
  const fips = land.file.get<{ fips: string }>('SELECT fips FROM parcels LIMIT 1')?.fips ?? null;
  let offered = 0;
  for (const [i, text] of typedTexts(rows, count).entries()) {
    const request = { text, fips: i % 2 === 0 ? fips : null, limit: 1 + (i % 7) };
    const fromIndex = liveSuggest(land, request, (store, column, asked) => {
      const ids = idsByColumns(store, column, asked);
      expect(ids, 'the index answers').not.toBeNull();
      return ids ?? [];
    });
    expect(fromIndex, JSON.stringify(request)).toEqual(liveSuggest(land, request, idsByTextBySql));
    offered += fromIndex.parcels.length;
  }
  expect(offered).toBeGreaterThan(count);
}

test('400 typed texts on the sample county get the same suggestions', () => agree(sampleHome(), 400));

test.runIf(realDataOrSkip('suggestions on two real counties'))(
  '200 typed texts on two real counties get the same suggestions',
  () => agree(realHome() ?? '', 200),
);

test('nothing typed offers nothing', () => {
  expect(liveSuggest(engineOn(sampleHome()).land, { text: '  ', fips: null, limit: 5 })).toEqual({
    place: null,
    meant: null,
    survey: [],
    parcels: [],
  });
});
