/** Photos of every kind are read as GDAL reads them, or refused by name. */
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { latitudeOf, longitudeOf, worldX, worldY } from '../../engine/geo/web-mercator.ts';
import { filesOf } from '../../engine/imagery/imagery-rows.ts';
import { PhotoGround } from '../../engine/imagery/photo-ground.ts';
import { openImagery } from '../../engine/store/imagery-store.ts';
import { add, gdalPythonOrSkip, type MadePhotos, makePhotos, ownFolder, tileOf } from './photos.ts';

const isThere = gdalPythonOrSkip('photos of every kind');
const made: MadePhotos = isThere
  ? makePhotos()
  : { kinds: [], refused: [], tiles: [], quads: [], truth: '', width: 0, height: 0 };
const truth = isThere ? fs.readFileSync(made.truth) : Buffer.alloc(0);
const home = ownFolder();
const zoom = 18;
/** What packing the tile itself as JPEG or WebP costs. */
const ofTile = 3;

type Kind = MadePhotos['kinds'][number];

/** The color of a pixel, from the numbers that Python wrote. */
function colorAt({ gray, palette, stretch }: Kind, column: number, row: number): number[] {
  const bands = [0, 1, 2].map((band) => truth[(band * made.height + row) * made.width + column] as number);
  const [red = 0] = bands;
  if (gray) return bands.map(() => Math.round(bands.reduce((sum, each) => sum + each) / 3));
  if (palette) return [red, 255 - red, (red * 7) % 256];
  if (!stretch) return bands;
  const [least, greatest] = stretch;
  return bands.map((each, band) => {
    const [from, to] = [least[band] as number, greatest[band] as number];
    return Math.min(255, Math.max(0, ((each * 8 + 100 - from) / (to - from)) * 255));
  });
}

function bilinear(kind: Kind, x: number, y: number): number[] {
  const [column, row] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  const [right, below] = [x - 0.5 - column, y - 0.5 - row];
  const [a, b, c, d] = [
    colorAt(kind, column, row),
    colorAt(kind, column + 1, row),
    colorAt(kind, column, row + 1),
    colorAt(kind, column + 1, row + 1),
  ] as [number[], number[], number[], number[]];
  return [0, 1, 2].map((band) => {
    const [va, vb, vc, vd] = [a, b, c, d].map((each) => each[band] as number) as [number, number, number, number];
    return (va * (1 - right) + vb * right) * (1 - below) + (vc * (1 - right) + vd * right) * below;
  });
}

describe.runIf(isThere)('photos of every kind', () => {
  test.each(made.kinds.map((kind) => [kind.name, kind] as const))(
    '%s lies and looks as GDAL has it',
    { timeout: 60_000 },
    async (_name, kind) => {
      const { id } = await add(home, { paths: [kind.file], ...(kind.crs && { crs: kind.crs }) });
      const file = openImagery(home);
      const [row] = filesOf(file, id);
      file.close();
      if (!row) throw new Error('it has no file');
      const ground = new PhotoGround(row.place, row.width, row.height, row.path);
      let colors = 0;
      for (const [longitude, latitude, column, line] of kind.points) {
        const [x = 0, y = 0] = ground.toPixels(Float64Array.of(longitude, latitude));
        expect(Math.hypot(x - column, y - line)).toBeLessThan(0.05);
        if (await expectColor(kind, id, ground, longitude, latitude)) colors++;
      }
      if (!kind.resampled) expect(colors).toBeGreaterThan(15);
    },
  );

  const isAtEdge = (x: number, y: number): boolean => x < 2 || y < 2 || x > made.width - 2 || y > made.height - 2;

  /** At the middle of the tile's pixel that holds the place. @returns false at the photo's edge, and in holes */
  async function expectColor(
    kind: Kind,
    id: number,
    ground: PhotoGround,
    longitude: number,
    latitude: number,
  ): Promise<boolean> {
    const [wx, wy] = [worldX(longitude) * 2 ** zoom, worldY(latitude) * 2 ** zoom];
    const [column, row] = [Math.floor((wx % 1) * 512), Math.floor((wy % 1) * 512)];
    const middle = (world: number, pixel: number) => (Math.floor(world) + (pixel + 0.5) / 512) / 2 ** zoom;
    const [x = 0, y = 0] = ground.toPixels(
      Float64Array.of(longitudeOf(middle(wx, column)), latitudeOf(middle(wy, row))),
    );
    if (kind.resampled || isAtEdge(x, y) || Math.abs(x - (kind.hole ?? -9)) < 3) return false;
    const tile = await tileOf(home, id, zoom, Math.floor(wx), Math.floor(wy));
    const at = (row * 512 + column) * 4;
    const found = tile === null ? [0, 0, 0, 0] : [...tile.subarray(at, at + 4)];
    const isHole = kind.hole !== undefined && x < kind.hole;
    expect(found[3]).toBe(isHole ? 0 : 255);
    if (isHole) return false;
    // A palette's colors jump, which JPEG's coarser colors smear.
    const most = kind.palette ? 12 : ofTile + kind.tolerance;
    for (const [band, wanted] of bilinear(kind, x, y).entries())
      expect(Math.abs((found[band] as number) - wanted)).toBeLessThanOrEqual(most);
    return true;
  }

  test.each(made.tiles.map((tile) => [tile.name, tile] as const))(
    'a tile of %s is what gdalwarp draws',
    async (_name, tile) => {
      const { id } = await add(home, { paths: [tile.file] });
      const [found, wanted] = [await tileOf(home, id, tile.z, tile.x, tile.y), fs.readFileSync(tile.raw)];
      let [compared, sum] = [0, 0];
      const side = 512 * 512;
      for (let at = 0; at < side; at++) {
        // Edges are half covered there, and whole or not here.
        if (wanted[3 * side + at] !== 255 || found?.[at * 4 + 3] !== 255) continue;
        compared++;
        for (let band = 0; band < 3; band++)
          sum += Math.abs((found[at * 4 + band] as number) - (wanted[band * side + at] as number));
      }
      expect(compared).toBeGreaterThan(side / 10);
      expect(sum / compared / 3).toBeLessThan(1);
    },
  );

  test.each(made.refused.map((each) => [each.name, each] as const))(
    '%s is refused with what helps',
    async (_name, { file, words }) => {
      const error = await add(home, { paths: [file] }).catch((each: unknown) => each);
      expect(error).toMatchObject({ code: 'import_refused' });
      expect((error as Error).message).toContain(words);
    },
  );

  test('the command in a refusal is the one to give', async () => {
    const jp2 = made.refused.find(({ name }) => name === 'JPEG 2000')?.file ?? '';
    await expect(add(home, { paths: [jp2] })).rejects.toThrow(
      `gdal_translate -of COG -co COMPRESS=JPEG "${jp2}" "${jp2.replace('.jp2', '-new.tif')}"`,
    );
  });
});

function tilesOf([west, south, east, north]: readonly [number, number, number, number], z: number): [number, number][] {
  const found: [number, number][] = [];
  for (let x = Math.floor(worldX(west) * 2 ** z); x <= worldX(east) * 2 ** z; x++)
    for (let y = Math.floor(worldY(north) * 2 ** z); y <= worldY(south) * 2 ** z; y++) found.push([x, y]);
  return found;
}

/** The field is 120, 140, 90. */
function count(seen: { photo: number; hole: number; dark: number }, tile: Buffer | null): void {
  for (let at = 0; tile && at < tile.length; at += 4) {
    const [r = 0, g = 0, b = 0, mask = 0] = tile.subarray(at, at + 4);
    const isField = r >= 115 && g >= 135 && b >= 85;
    seen[mask === 0 ? 'hole' : isField ? 'photo' : 'dark']++;
  }
}

describe.runIf(isThere)('many photos as one', () => {
  test('no seam is darker than the field, no collar is drawn, and a gap is a hole', { timeout: 60_000 }, async () => {
    const { id, bounds, files } = await add(home, { paths: made.quads, name: 'Quads' });
    expect(files).toBe(made.quads.length);
    const [west = 0, south = 0, east = 0, north = 0] = bounds;
    const seen = { photo: 0, hole: 0, dark: 0 };
    for (const z of [18, 15])
      for (const [x, y] of tilesOf([west, south, east, north], z)) count(seen, await tileOf(home, id, z, x, y));
    expect(seen.photo).toBeGreaterThan(500_000);
    expect(seen.hole).toBeGreaterThan(100_000);
    expect(seen.dark).toBe(0);
  });
});
