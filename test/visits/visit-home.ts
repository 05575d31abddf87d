/** A visit for tests: a walk around a parcel of the sample county, and photos on it, of real pixels. */
import fs from 'node:fs';
import path from 'node:path';
import type { Engine } from '../../engine/engine.ts';
import { boundsOfMultiPolygon } from '../../engine/geo/geometry.ts';
import { decodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { type ChangeOutputOf, runChange } from '../../engine/work/index.ts';
import { exifBlock, type PhotoMake } from '../support/make-photo.ts';
import { drawn, jpegOf } from '../support/ppm.ts';

export interface Lot {
  readonly id: number;
  readonly apn: string;
  readonly owner: string;
  readonly box: { readonly minX: number; readonly minY: number; readonly maxX: number; readonly maxY: number };
}

/** A parcel of the sample county with a shape. */
export function lotOf(engine: Engine, where: string): Lot {
  const row = engine.land.file.get<{ id: number; apn: string; owner: string; geom: Uint8Array }>(
    `SELECT property_id AS id, apn, owner_name AS owner, geom FROM parcels WHERE status = 'current' AND geom IS NOT NULL AND owner_name IS NOT NULL AND ${where} LIMIT 1`,
  );
  if (!row) throw new Error(`no parcel where ${where}`);
  const { geom, ...lot } = row;
  return { ...lot, box: boundsOfMultiPolygon(decodeMultiPolygon(geom)) };
}

/** Sky, hill, meadow, and a post whose place tells one from another. */
export const scenery = (folder: string, width: number, height: number, seed: number): Buffer =>
  jpegOf(
    folder,
    drawn(width, height, (x, y) => {
      const [across, down] = [x / width, y / height];
      const post = Math.abs(across - 0.2 - (seed % 7) / 10) < 0.02 && down > 0.4 && down < 0.85;
      if (post) return [120, 50, 40];
      const hill = 0.42 + 0.06 * Math.sin(across * 9 + seed);
      const grain = ((x * 7919 + y * 104729 + seed * 31) % 17) - 8;
      if (down < hill) return [190 + grain, 210 + grain, 225];
      return down < hill + 0.12 ? [60, 85 + grain, 55] : [110 + grain, 118 + grain, 70 + (seed % 5) * 8];
    }),
  );

/** EXIF as a camera puts it, right behind the beginning. */
export function withExif(jpeg: Buffer, make: PhotoMake): Buffer {
  const block = exifBlock(make);
  const head = Buffer.from([0xff, 0xe1, (block.length + 2) >> 8, (block.length + 2) & 0xff]);
  return Buffer.concat([jpeg.subarray(0, 2), head, block, jpeg.subarray(2)]);
}

const start = Date.parse('2026-11-30T14:05:00Z');

const clock = (seconds: number): string =>
  new Date(start - 5 * 3_600_000 + seconds * 1000).toISOString().slice(0, 19).replaceAll('-', ':').replace('T', ' ');

/** Walks a loop in a parcel's box, a point each second, and takes photos along it. @returns their photo_ids */
export async function walkAndShoot(
  engine: Engine,
  { box }: Pick<Lot, 'box'>,
  {
    photos,
    pictures,
    make,
  }: { readonly photos: number; readonly pictures: readonly Buffer[]; readonly make?: (at: number) => PhotoMake },
): Promise<void> {
  const seconds = 2400;
  const at = (second: number): readonly [number, number] => {
    const turn = (second / seconds) * 2 * Math.PI;
    const [x, y] = [
      0.5 + 0.38 * Math.cos(turn) + 0.04 * Math.sin(5 * turn),
      0.5 + 0.38 * Math.sin(turn) + 0.05 * Math.cos(4 * turn),
    ];
    return [box.minX + x * (box.maxX - box.minX), box.minY + y * (box.maxY - box.minY)];
  };
  const points = Array.from({ length: seconds }, (_, second) => {
    const [lon, lat] = at(second);
    return `<trkpt lat="${lat.toFixed(7)}" lon="${lon.toFixed(7)}"><time>${new Date(start + second * 1000).toISOString()}</time></trkpt>`;
  });
  const gpx = `<gpx version="1.1" creator="x"><trk><name>Round</name><trkseg>${points.join('')}</trkseg></trk></gpx>`;
  await runChange(engine, 'import_field_notes', {
    files: [{ name: 'w.gpx', bytes: Buffer.from(gpx).toString('base64') }],
  });
  const files: string[] = [];
  for (let n = 0; n < photos; n++) {
    const second = Math.floor(((n + 0.5) / photos) * seconds);
    const given: PhotoMake = { takenAt: clock(second), offset: '-05:00', heading: [(n * 47) % 360, 'T'], ...make?.(n) };
    // A comment makes each file another one.
    const bytes = withExif(pictures[n % pictures.length] as Buffer, { camera: ['Made', `Up ${n}`], ...given });
    const { data } = await runChange(engine, 'stage_photo', { name: `IMG_${n}.JPG`, bytes: bytes.toString('base64') });
    files.push((data as ChangeOutputOf<'stage_photo'>).file);
  }
  if (files.length > 0) await runChange(engine, 'import_photos', { photos: files });
}

export function savePdf(bytes: Uint8Array, folder: string, name: string): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, bytes);
  return file;
}
