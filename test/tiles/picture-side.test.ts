/** The size of a picture tile, from the headers of pictures that other programs wrote. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tileSideOf } from '../../engine/tiles/basemaps/picture-side.ts';
import { gdalOrSkip } from '../support/gdal.ts';
import { emptyHome } from '../support/homes.ts';

const hasGdal = gdalOrSkip('sizes of pictures');

describe.runIf(hasGdal)('the side of a tile', () => {
  test.for([
    ['PNG', 256, []],
    ['PNG', 512, []],
    ['JPEG', 256, []],
    ['JPEG', 512, []],
    ['WEBP', 512, []],
    ['WEBP', 512, ['-co', 'LOSSLESS=YES']],
    ['WEBP', 256, ['-b', '1', '-b', '1', '-b', '1', '-b', '1', '-colorinterp_4', 'alpha']],
  ] as const)('%s of %i pixels', ([driver, side, more]) => {
    const folder = emptyHome();
    const source = path.join(folder, 'source.tif');
    const picture = path.join(folder, 'tile');
    const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'ignore' });
    run('gdal_create', '-outsize', String(side), String(side), '-bands', '3', '-burn', '90', source);
    run('gdal_translate', '-of', driver, ...more, source, picture);
    expect(tileSideOf(fs.readFileSync(picture))).toBe(side);
  });

  test('is the usual one for what is no picture, or cut off', () => {
    expect([null, Buffer.alloc(0), Buffer.alloc(40), Buffer.from('\xff\xd8\xff', 'latin1')].map(tileSideOf)).toEqual([
      ...[256, 256, 256, 256],
    ]);
  });
});
