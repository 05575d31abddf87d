/** What is printed without owners has nothing of them in any object or stream: the book, one page of it, the map sheet. */
import { expect, test } from 'vitest';
import { bookOptions } from '../../engine/book/book-fields.ts';
import { makeBook, makePage } from '../../engine/book/make-book.ts';
import type { Engine } from '../../engine/engine.ts';
import { engineOn, sampleHome } from '../support/homes.ts';
import { formsOf, insideOf } from './pdf-inside.ts';

const madeAt = new Date('2026-11-25T03:00:00Z');

/** Some parcels of the sample. */
const someIds = (engine: Engine) =>
  engine.land.file.column<number>(
    "SELECT property_id FROM parcels WHERE status = 'current' ORDER BY property_id LIMIT 150",
  );

/** First words of owners, and mailing addresses. */
function privateWords(engine: Engine, ids: readonly number[]): string[] {
  const rows = engine.land.file.all<{ owner: string; mail: string | null }>(
    'SELECT owner_name AS owner, mailing_address AS mail FROM parcels WHERE owner_name IS NOT NULL AND property_id IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids),
  );
  const words = rows.flatMap(({ owner, mail }) => [owner.toUpperCase().split(' ')[0] as string, mail ?? '']);
  return [...new Set(words)].filter((word) => word.length > 3);
}

function pdfOf(make: (tools: Parameters<typeof makeBook>[2]) => unknown): Buffer {
  const pieces: Uint8Array[] = [];
  make({ put: (piece) => pieces.push(piece), progress: () => {} });
  return Buffer.concat(pieces);
}

async function wordsInside(words: readonly string[], pdf: Uint8Array): Promise<string[]> {
  const inside = await insideOf(pdf);
  return words.filter((word) => formsOf(word).some((form) => inside.includes(form)));
}

test.each([
  [
    'the whole book',
    (engine: Engine, ids: number[], names: boolean) =>
      pdfOf((tools) => makeBook(engine.land, bookOptions({ ids, names }, madeAt), tools)),
  ],
  [
    'one page of it',
    (engine: Engine, ids: number[], names: boolean) =>
      pdfOf((tools) => makePage(engine.land, 'A1', bookOptions({ ids, names }, madeAt), tools)),
  ],
  [
    'the map sheet',
    async (engine: Engine, ids: number[], names: boolean) => {
      const [place] = engine.land.file.all<{ longitude: number; latitude: number }>(
        'SELECT (xmin + xmax) / 2 AS longitude, (ymin + ymax) / 2 AS latitude FROM idx_parcels_geom WHERE pkid = ?',
        ids[10],
      );
      const view = { ...(place as { longitude: number; latitude: number }), scale: 6000 };
      return (await engine.mapSheet(names ? { ...view, labels: ['apn', 'owner'] } : view)).pdf;
    },
  ],
] as const)('%s', async (_what, make) => {
  const engine = engineOn(sampleHome());
  const ids = someIds(engine);
  const words = privateWords(engine, ids);
  expect((await wordsInside(words, await make(engine, ids, true))).length).toBeGreaterThan(2);
  expect(await wordsInside(words, await make(engine, ids, false))).toEqual([]);
});
