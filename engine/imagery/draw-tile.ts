/** Tiles of the user's photos, drawn in a process of their own: a photo of a stranger can end no more than that. */
import sharp from 'sharp';
import { latitudeOf, longitudeOf } from '../geo/web-mercator.ts';
import { hasImagery, openImagery } from '../store/imagery-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { asJpeg } from './blocks.ts';
import { BlockCache, DrawnPhoto } from './drawn-photo.ts';
import { filesOf, type ImageryFile, isThere } from './imagery-rows.ts';
import { coverOf, emptyPixels, fillHoles, type Pixels } from './pixels.ts';
import { drawPhoto, type TilePlace, tileSide } from './warp.ts';

const mostOpen = 48;

/** Draws tiles of a home; keeps photos open and blocks unpacked between them. */
class TileDrawer {
  readonly #home: string;
  readonly #file: SqliteFile;
  readonly #photos = new Map<number, { readonly state: string; readonly photo: DrawnPhoto }>();
  readonly #blocks = new BlockCache();

  constructor(home: string) {
    this.#home = home;
    this.#file = openImagery(home);
  }

  async draw(imageryId: number, place: TilePlace): Promise<Uint8Array | null> {
    const tile = emptyPixels(tileSide, tileSide);
    for (const row of filesOf(this.#file, imageryId, boxOf(place))) {
      await drawPhoto(tile, place, this.#photo(row), this.#blocks.reader);
      if (coverOf(tile) === 2) break;
    }
    return pack(tile);
  }

  #photo(row: ImageryFile): DrawnPhoto {
    const known = this.#photos.get(row.file_id);
    this.#photos.delete(row.file_id);
    const state = `${row.done} ${isThere(this.#home, row)}`;
    if (known?.state === state) {
      this.#photos.set(row.file_id, known);
      return known.photo;
    }
    known?.photo.close();
    const photo = new DrawnPhoto(this.#home, this.#file, row);
    this.#photos.set(row.file_id, { state, photo });
    for (const [id, { photo: old }] of this.#photos) {
      if (this.#photos.size <= mostOpen) break;
      old.close();
      this.#photos.delete(id);
    }
    return photo;
  }
}

const boxOf = ({ z, x, y }: TilePlace): number[] => [
  longitudeOf(x / 2 ** z),
  latitudeOf((y + 1) / 2 ** z),
  longitudeOf((x + 1) / 2 ** z),
  latitudeOf(y / 2 ** z),
];

/** JPEG where all is photo, else WebP with a mask; null where nothing is. */
async function pack(tile: Pixels): Promise<Uint8Array | null> {
  const cover = coverOf(tile);
  if (cover === 0) return null;
  if (cover === 2) return asJpeg(tile);
  fillHoles(tile);
  return sharp(tile.data, { raw: { width: tileSide, height: tileSide, channels: 4 } })
    .webp({ quality: 85, alphaQuality: 100, effort: 0, exact: true })
    .toBuffer();
}

const drawers = new Map<string, TileDrawer>();

/** @returns a JPEG or a WebP of 512 pixels a side; null where no photo is */
export async function drawTile(home: string, imageryId: number, place: TilePlace): Promise<Uint8Array | null> {
  if (!hasImagery(home)) return null;
  const drawer = drawers.get(home) ?? new TileDrawer(home);
  drawers.set(home, drawer);
  return drawer.draw(imageryId, place);
}
