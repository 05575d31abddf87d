/** Photos that GDAL makes (make-photos.py), once a run, and the tools that adding them needs. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll } from 'vitest';
import { type AddedImagery, addImagery } from '../../engine/imagery/add-imagery.ts';
import { drawTile } from '../../engine/imagery/draw-tile.ts';
import { requireOrSkip } from '../support/require.ts';

/** Debian's own, which has GDAL's module. */
const python = '/usr/bin/python3';

export const gdalPythonOrSkip = (name: string): boolean =>
  requireOrSkip(
    name,
    spawnSync(python, ['-c', 'from osgeo import gdal']).status === 0,
    'GDAL for Python (python3-gdal) is not installed',
  );

export interface MadePhotos {
  readonly kinds: readonly {
    readonly name: string;
    readonly file: string;
    readonly crs?: string;
    readonly tolerance: number;
    readonly gray?: boolean;
    readonly palette?: boolean;
    readonly resampled?: boolean;
    readonly hole?: number;
    readonly stretch?: readonly [least: readonly number[], greatest: readonly number[]];
    readonly points: readonly (readonly [longitude: number, latitude: number, column: number, row: number])[];
  }[];
  readonly refused: readonly { readonly name: string; readonly file: string; readonly words: string }[];
  readonly tiles: readonly {
    readonly name: string;
    readonly file: string;
    readonly z: number;
    readonly x: number;
    readonly y: number;
    readonly raw: string;
  }[];
  readonly quads: readonly string[];
  /** Red, green and blue of all photos, one after another. */
  readonly truth: string;
  readonly width: number;
  readonly height: number;
}

/** A folder for the tests of a file. */
export function ownFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-photos-'));
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function makePhotos(): MadePhotos {
  const folder = ownFolder();
  execFileSync(python, [path.join(import.meta.dirname, 'make-photos.py'), folder], { stdio: 'ignore' });
  return JSON.parse(fs.readFileSync(path.join(folder, 'kinds.json'), 'utf8')) as MadePhotos;
}

export const addTools = {
  now: () => new Date('2026-01-02T03:04:05Z'),
  progress: () => {},
  onStep: () => {},
  keep: () => {},
  tilesBounds: () => [-180, -85, 180, 85] as const,
};

export const add = (home: string, input: AddedImagery) => addImagery(home, input, addTools);

/** Red, green, blue and mask of a tile; null where there is none. */
export async function tileOf(home: string, id: number, z: number, x: number, y: number): Promise<Buffer | null> {
  const tile = await drawTile(home, id, { z, x, y });
  return tile && sharp(tile).ensureAlpha().raw().toBuffer();
}
