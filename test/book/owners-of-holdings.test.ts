/** Whose land becomes one holding, and that every recorded owner stands in the index. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bookOptions } from '../../engine/book/book-fields.ts';
import type { BookParcel } from '../../engine/book/book-parcels.ts';
import { holdingsOf, othersWords } from '../../engine/book/holdings.ts';
import { makeBook } from '../../engine/book/make-book.ts';
import { ownerKey } from '../../engine/contacts/owner-key.ts';
import { spellingGroups } from '../../engine/contacts/owner-spelling.ts';
import { ShapeStore } from '../../engine/geo/shape-store.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';

const hasPoppler = requireOrSkip(
  'poppler',
  spawnSync('pdftotext', ['-v']).status === 0,
  'it reads the book back (apt-get install poppler-utils)',
);

/** Lots in a row, each touching the next: a hundredth of a degree wide. */
function lotsOf(owners: readonly string[], mailingKey: string | null = 'PO BOX 7 59001'): BookParcel[] {
  const shapes = new ShapeStore();
  return owners.map((name, at) => {
    const [west, east] = [-112 + at / 100, -112 + (at + 1) / 100];
    const ring = Float64Array.of(west, 46, east, 46, east, 46.01, west, 46.01, west, 46);
    return {
      ...{ fips: '30031', apn: `${at}`, ownerKey: ownerKey(name), name, kind: 'company', mailingKey },
      ...{ acres: 10, measuredAcres: null, shape: shapes.keep([[ring]]) },
    };
  });
}

const namesOf = (owners: readonly string[], mailingKey?: string | null) =>
  holdingsOf(lotsOf(owners, mailingKey), true).map((one) => one.name + othersWords(one).replace('\u00a0', ' '));

test.each([
  ['two companies of one box and one first word', ['ALDER HOME PLACE LLC', 'ALDER CATTLE LLC'], 2],
  ['two given names of one household', ['OAKES RUTH', 'OAKES PETER'], 2],
  ['father and son', ['OAKES PETER', 'OAKES PETER JR'], 2],
  ['two middle initials', ['OAKES PETER A', 'OAKES PETER B', 'OAKES PETER'], 3],
  ['an initial for a given name', ['OAKES P', 'OAKES PETER'], 2],
  ['two legal forms', ['ALDER CATTLE LLC', 'ALDER CATTLE LP'], 2],
  ['a person and her trust', ['OAKES RUTH', 'OAKES RUTH TRUST'], 2],
  ['marks and a middle initial', ['OAKES, PETER', 'OAKES PETER A'], 1],
  ['a legal form in letters and left out', ['ALDER CATTLE L.L.C.', 'Alder Cattle, LLC', 'ALDER CATTLE'], 1],
  ['shortened words', ['ALDER FAMILY REVOCABLE TRUST', 'ALDER FAM REV TR'], 1],
  ['blanks and apostrophes', ["O'BRIEN RANCH", 'OBRIEN RANCH INC'], 1],
])('%s at one address', (_what, owners, holdings) => {
  expect(namesOf(owners)).toHaveLength(holdings);
  // Without the address only equal names are one owner.
  expect(namesOf(owners, null)).toHaveLength(owners.length);
});

test('a holding of several recorded owners says how many more, other spellings are none', () => {
  expect(namesOf(['OAKES PETER', 'OAKES PETER & RUTH'])).toEqual(['OAKES PETER & 1 other']);
  expect(namesOf(['OAKES PETER & RUTH', 'OAKES PETER', 'OAKES PETER A'])).toEqual(['OAKES PETER & RUTH']);
  expect(namesOf(['OAKES PETER', 'OAKES PETER & RUTH', 'OAKES PETER & ELM ANNA'])).toEqual(['OAKES PETER & 2 others']);
  const [holding] = holdingsOf(lotsOf(['OAKES PETER', 'OAKES PETER & RUTH', 'OAKES PETER A']), true);
  expect(holding?.alsoNames).toEqual(['OAKES PETER & RUTH', 'OAKES PETER A']);
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
  const pieces: Uint8Array[] = [];
  makeBook(engine.land, bookOptions({ ids }, new Date('2026-11-25T03:00:00Z')), {
    put: (piece) => pieces.push(piece),
    progress: () => {},
  });
  const file = path.join(emptyHome(), 'book.pdf');
  fs.writeFileSync(file, Buffer.concat(pieces));
  const text = spawnSync('pdftotext', ['-raw', file, '-'], { encoding: 'utf8' }).stdout;
  const pages = text.split('\f').slice(1);
  const index = pages
    .filter((page) => page.includes('Index of owners'))
    .join(' ')
    .replace(/\s+/g, ' ');
  const recorded = engine.land.file.column<string>(
    'SELECT DISTINCT owner_name FROM parcels WHERE owner_name IS NOT NULL AND property_id IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids),
  );
  const folded = recorded.map((one) => one.toUpperCase().replace(/\s+/g, ' ').trim());
  expect(folded.length).toBeGreaterThan(30);
  expect(folded.filter((one) => !index.includes(one))).toEqual([]);
});
