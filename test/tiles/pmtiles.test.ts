/** Valid PMTiles, and manipulated ones. */
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { EngineError } from '../../engine/spec/errors.ts';
import { getTile } from '../../engine/tiles/index.ts';
import { cutTo, randomFrom } from '../importing/readers/mutants.ts';
import { emptyEngine, fourTiles, markedTile, nameIn, place, pmtilesOf, refusalOf, sourcesOf } from './basemap-files.ts';

describe('PMTiles', () => {
  test('tiles are found by their number on the Hilbert curve', async () => {
    const engine = emptyEngine();
    place(engine, 'four.pmtiles', pmtilesOf(fourTiles));
    expect(sourcesOf(engine).bases).toMatchObject([
      {
        source: 'base-four',
        type: 'vector',
        minzoom: 0,
        maxzoom: 1,
        bounds: [-180, -85, 180, 85],
        attribution: '© me',
        layers: ['places'],
      },
    ]);
    const names = await Promise.all(
      (
        [
          [0, 0, 0],
          [1, 0, 0],
          [1, 0, 1],
          [1, 1, 1],
          [1, 1, 0],
        ] as const
      ).map(async ([z, x, y]) => nameIn(await getTile(engine, 'base-four', z, x, y))),
    );
    expect(names).toEqual(['world', 'nw', 'sw', 'se', undefined]);
  });

  test('a replaced file is read again, and its generation differs', async () => {
    const engine = emptyEngine();
    place(engine, 'four.pmtiles', pmtilesOf(fourTiles));
    const before = sourcesOf(engine).bases[0]?.generation;
    place(engine, 'four.pmtiles', pmtilesOf([{ id: 0, bytes: zlib.gzipSync(markedTile('another world')) }]));
    expect(nameIn(await getTile(engine, 'base-four', 0, 0, 0))).toBe('another world');
    expect(sourcesOf(engine).bases[0]?.generation).not.toBe(before);
    fs.rmSync(path.join(engine.home, 'basemaps', 'four.pmtiles'));
    expect(sourcesOf(engine).bases).toEqual([]);
    await expect(getTile(engine, 'base-four', 0, 0, 0)).rejects.toMatchObject({ code: 'not_found' });
  });

  test.for([
    [
      'a directory of a trillion tiles',
      () => pmtilesOf(fourTiles, zlib.gzipSync(Buffer.from([255, 255, 255, 255, 127]))),
      /names \d+ tiles in 5 bytes/,
    ],
    [
      'a directory that swells',
      () => pmtilesOf(fourTiles, zlib.gzipSync(Buffer.alloc(9 * 1024 * 1024))),
      /It is larger than/,
    ],
    ['Brotli', () => pmtilesOf(fourTiles, undefined, 3), /packed with Brotli or Zstandard/],
    [
      'another version',
      () => {
        const b = pmtilesOf(fourTiles);
        b[7] = 2;
        return b;
      },
      /Expected version 3 of PMTiles, found version 2/,
    ],
    ['no PMTiles at all', () => Buffer.from('PK\u0003\u0004 a zip archive of some kind'), /It is not a PMTiles file/],
    ['nothing', () => Buffer.alloc(0), /It is not a PMTiles file: it begins with ""/],
  ] as const)('%s is refused in a sentence', ([, bytes, why]) => {
    const engine = emptyEngine();
    place(engine, 'bad.pmtiles', bytes());
    expect(refusalOf(engine, 'bad.pmtiles')).toMatch(why);
  });

  test('one that is cut off anywhere is refused, or a tile of it names an error', async () => {
    const whole = pmtilesOf(fourTiles);
    const engine = emptyEngine();
    for (let share = 0; share < 1; share += 0.04) {
      place(engine, 'cut.pmtiles', cutTo(share)(whole));
      expect(refusalOf(engine, 'cut.pmtiles'), `cut to ${share}`).toMatch(/^It .+\.$/);
    }
  });

  test('one bent byte anywhere never does worse than an error with a name', async () => {
    const whole = pmtilesOf(fourTiles);
    const engine = emptyEngine();
    const random = randomFrom(20_261_120);
    for (let run = 0; run < 300; run++) {
      const bent = Buffer.from(whole);
      bent[Math.floor(random() * bent.length)] = Math.floor(random() * 256);
      place(engine, `bent-${run}.pmtiles`, bent);
      for (const address of [
        [0, 0, 0],
        [1, 1, 1],
      ] as const) {
        try {
          const [z, x, y] = address;
          await getTile(engine, `base-bent-${run}`, z, x, y);
        } catch (error) {
          expect(error).toBeInstanceOf(EngineError);
        }
      }
      fs.rmSync(path.join(engine.home, 'basemaps', `bent-${run}.pmtiles`));
    }
  });
});
