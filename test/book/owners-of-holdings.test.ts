/** Whose land becomes one holding, and that every recorded owner stands in the index. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bookOptions } from '../../engine/book/book-fields.ts';
import { type BookParcel, pairsOfNeighbours, readParcels } from '../../engine/book/book-parcels.ts';
import { holdingsOf, othersWords } from '../../engine/book/holdings.ts';
import { makeBook } from '../../engine/book/make-book.ts';
import { ownerKey } from '../../engine/contacts/owner-key.ts';
import { ownerOf } from '../../engine/contacts/owner-name-words.ts';
import { spellingGroups } from '../../engine/contacts/owner-spelling.ts';
import type { Engine } from '../../engine/engine.ts';
import { ShapeStore } from '../../engine/geo/shape-store.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { workOutOwners } from '../support/known-owners.ts';
import { requireOrSkip } from '../support/require.ts';

const hasPoppler = requireOrSkip(
  'poppler',
  spawnSync('pdftotext', ['-v']).status === 0,
  'it reads the book back (apt-get install poppler-utils)',
);

/** Lots in a row, a hundredth of a degree wide, each of one owner; `gap` degrees between them. */
function lotsOf(names: readonly string[], { owner = 1 as number | null, gap = 0 } = {}): BookParcel[] {
  const shapes = new ShapeStore();
  return names.map((name, at) => {
    const [west, east] = [-112 + at / 100 + gap, -112 + (at + 1) / 100];
    const ring = Float64Array.of(west, 46, east, 46, east, 46.01, west, 46.01, west, 46);
    return {
      ...{ property_id: at, has_shape: 1, geometry_hash: at, fips: '30031', apn: `${at}`, name, kind: 'company' },
      ...{ isOwned: true, owner, acres: 10, measuredAcres: null, shape: shapes.keep([[ring]]) },
    };
  });
}
/** Each with the next. */
const inRow = (count: number) => Array.from({ length: count - 1 }, (_, at) => [at, at + 1] as const);
const namesOf = (names: readonly string[]) =>
  holdingsOf(lotsOf(names), inRow(names.length)).map((one) => one.name + othersWords(one).replace('\u00a0', ' '));

test('a holding of several recorded owners says how many more, other spellings are none', () => {
  expect(namesOf(['OAKES PETER', 'OAKES PETER & RUTH'])).toEqual(['OAKES PETER & 1 other']);
  expect(namesOf(['OAKES PETER & RUTH', 'OAKES PETER', 'OAKES PETER A'])).toEqual(['OAKES PETER & RUTH']);
  expect(namesOf(['OAKES PETER', 'OAKES PETER & RUTH', 'OAKES PETER & ELM ANNA'])).toEqual(['OAKES PETER & 2 others']);
  const [holding] = holdingsOf(lotsOf(['OAKES PETER', 'OAKES PETER & RUTH', 'OAKES PETER A']), inRow(3));
  expect(holding?.alsoNames).toEqual(['OAKES PETER & RUTH', 'OAKES PETER A']);
});

test('lots that face each other across a road are one holding, with a line that ties them', () => {
  // 0.0002 degrees are 15.5 m at 46 degrees north.
  const [holding, ...others] = holdingsOf(lotsOf(['OAKES PETER', 'OAKES PETER'], { gap: 0.0002 }), inRow(2));
  expect(others).toEqual([]);
  expect(holding?.polygons).toHaveLength(2);
  const [x, , endX] = [...(holding?.inner ?? [])];
  expect(holding?.inner).toHaveLength(4);
  expect([x, endX].map((one) => (one as number) < -111.99).sort()).toEqual([false, true]);
});

test('where owners are not worked out, each parcel stands alone under its name', () => {
  expect(holdingsOf(lotsOf(['OAKES PETER', 'OAKES PETER'], { owner: null }), inRow(2)).map(({ name }) => name)).toEqual(
    ['OAKES PETER', 'OAKES PETER'],
  );
});

test('a group of spellings is the same in any order', () => {
  const owners = ['OAKES PETER', 'OAKES PETER A', 'ALDER CATTLE LLC', 'UNKNOWN', 'ALDER CATTLE'];
  const pairs = (names: readonly string[]) => {
    const groups = spellingGroups(names);
    return names
      .flatMap((one, at) =>
        names
          .filter((_other, to) => groups[at] !== null && groups[at] === groups[to])
          .map((other) => `${one}=${other}`),
      )
      .sort();
  };
  expect(pairs(owners)).toEqual(pairs(owners.toReversed()));
});

/** The text of a book's index, in one line. */
function indexOf(
  engine: Engine,
  request: Parameters<typeof bookOptions>[0],
): { text: string; notes: readonly string[] } {
  const pieces: Uint8Array[] = [];
  const { notes } = makeBook(engine.land, bookOptions(request, new Date('2026-11-25T03:00:00Z')), {
    put: (piece) => pieces.push(piece),
    progress: () => {},
  });
  const file = path.join(emptyHome(), 'book.pdf');
  fs.writeFileSync(file, Buffer.concat(pieces));
  const text = spawnSync('pdftotext', ['-raw', file, '-'], { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout;
  const pages = text.split('\f').slice(1);
  const index = pages.filter((page) => page.includes('Index of owners')).join(' ');
  return { text: index.replace(/\s+/g, ' '), notes };
}

const isNotWorkedOut = (note: string) => note.includes('are not worked out yet');

test.skipIf(!hasPoppler)('every recorded owner stands in the index, as recorded', () => {
  const engine = engineOn(sampleHome());
  // Neighbors of one box, one name that a second owner would follow, and a second spelling.
  const owners = ['QUILL HOME PLACE LLC', 'QUILL CATTLE LLC', 'QUAIL JOHN AND', 'QUAIL JOHN & MARY', 'QUAIL JOHN, '];
  const ids = engine.land.file.column<number>(
    "SELECT property_id FROM parcels WHERE status = 'current' AND geom IS NOT NULL ORDER BY property_id LIMIT 60",
  );
  for (const [at, owner] of owners.entries())
    engine.land.file.run(
      "UPDATE parcels SET owner_name = ?, owner_type = NULL, mailing_key = 'BOX 7' WHERE property_id = ?",
      owner,
      ids[at],
    );
  expect(indexOf(engine, { ids }).notes.filter(isNotWorkedOut)).toHaveLength(1);
  workOutOwners(engine);
  const { text, notes } = indexOf(engine, {});
  expect(notes.filter(isNotWorkedOut)).toEqual([]);
  const recorded = engine.land.file.column<string>(
    "SELECT DISTINCT owner_name FROM parcels WHERE owner_name IS NOT NULL AND status = 'current'",
  );
  // Without the recipient of letters, as the book says on each page of names.
  const folded = recorded.map((one) => ownerOf(one).toUpperCase().replace(/\s+/g, ' ').trim());
  expect(folded.length).toBeGreaterThan(1000);
  expect(folded.filter((one) => ownerKey(one) !== null && !text.includes(one))).toEqual([]);
});

test('the holdings of the book are those of the filters', () => {
  const engine = engineOn(sampleHome());
  workOutOwners(engine);
  const { file } = engine.land;
  const parcels = readParcels(file, { counties: null, ids: null });
  // One row for each parcel of a holding; what the book measures by itself has other acres.
  const wanted = file.column<string>(
    "SELECT holding_parcels || ' ' || round(holding_acres, 2) FROM parcels WHERE holding_parcels IS NOT NULL ORDER BY 1",
  );
  const owned = parcels.filter(({ owner, shape }) => owner !== null && !shape.isEmpty);
  const found = holdingsOf(owned, pairsOfNeighbours(file));
  expect(found.filter(({ parcels: n }) => n > 1).length).toBeGreaterThan(50);
  const sizesOf = (rows: readonly string[]) => rows.map((row) => row.split(' ')[0]).sort();
  const rows = found.map(({ parcels: n, acres }) => Array.from({ length: n }, () => `${n} ${acres?.toFixed(2)}`));
  expect(sizesOf(rows.flat())).toEqual(sizesOf(wanted));
  const left = Map.groupBy(wanted, (row) => Number(row.split(' ')[0]));
  const odd = found.filter(({ parcels: n, acres, isMeasured }) => {
    const at = isMeasured
      ? 0
      : (left.get(n) ?? []).findIndex((row) => Math.abs(Number(row.split(' ')[1]) - (acres ?? 0)) < 0.02);
    return at < 0;
  });
  expect(odd.map(({ name, parcels: n, acres }) => [name, n, acres])).toEqual([]);
});
