/** A photo of the air under a printed map: its tiles as they are where they are JPEGs, at 106 to 212 dots an inch. */
import { type Jpeg, strippedJpeg } from '../exporting/jpeg.ts';
import type { Box } from '../exporting/pdf-page.ts';
import { latitudeOf, longitudeOf, pixelMeters, worldX, worldY } from '../geo/web-mercator.ts';
import { smallPhoto } from '../photos/small-photo.ts';
import { EngineError } from '../spec/errors.ts';
import { getTile } from '../tiles/index.ts';
import { mapSources } from '../tiles/map-sources.ts';
import { boxOnPage, type GroundFrame } from './ground-frame.ts';

export interface SheetPhoto {
  /** `alder.tif, Flown 2025-07-14 · County of Alder` */
  readonly source: string;
  readonly tiles: readonly { readonly picture: Jpeg; readonly box: Box }[];
  /** What is missing, as a sentence; empty if nothing is. */
  readonly note: string;
}

/** The home whose photos are read; an `Engine` is one. */
export type PhotoContext = Parameters<typeof getTile>[0];

/** Dots an inch that the tiles come nearest to; their zooms are twice as fine each. */
const wantedDpi = 150;
/** A page of small paper has some dozen; more come from a file that lies about its zooms. */
const mostTiles = 400;

/** Of a tile that is no JPEG. */
const recoded = { side: 1024, quality: 82 } as const;

/** Points of a tile under its neighbours to the east and south, so that viewers draw no hairline between them. */
const overlap = 0.15;

/**
 * @param name a source of pictures of `map_sources`
 * @throws EngineError validation_error if the home has no such photo
 */
export async function sheetPhoto(context: PhotoContext, name: string, frame: GroundFrame): Promise<SheetPhoto> {
  const photos = mapSources(context.home, context.land).bases.filter(({ type }) => type === 'raster');
  const photo = photos.find(({ source }) => source === name);
  if (!photo) {
    const names = photos.map(({ source }) => source).join(', ');
    throw new EngineError(
      'validation_error',
      `There is no photo ${JSON.stringify(name)}; ${names === '' ? 'this home has none' : `there are ${names}`}.`,
    );
  }
  const zoom = zoomFor(frame, photo);
  const [tiles, unread] = [[] as SheetPhoto['tiles'][number][], new Set<string>()];
  for (const [x, y] of placesIn(frame, zoom)) {
    const bytes = await getTile(context, photo.source, zoom, x, y);
    const picture = bytes && (await jpegOf(bytes));
    if (bytes && !picture) unread.add(`${x}/${y}`);
    if (picture) tiles.push({ picture, box: boxOf(frame, zoom, x, y) });
  }
  const left = unread.size === 0 ? '' : `${unread.size} of its tiles cannot be read, and are left out.`;
  return {
    source: [photo.title, photo.attribution].filter(Boolean).join(', '),
    tiles,
    note: tiles.length === 0 && left === '' ? `The photo ${photo.title} shows nothing of this page.` : left,
  };
}

interface Zooms {
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly tile_size: number;
}

function zoomFor({ scale, latitude }: GroundFrame, { minzoom, maxzoom, tile_size: side }: Zooms): number {
  const wanted = (scale * 0.0254) / wantedDpi;
  const zoom = Math.round(Math.log2(pixelMeters(latitude, 0, side) / wanted));
  return Math.max(minzoom, Math.min(maxzoom, zoom));
}

function placesIn({ bounds: { minX, maxX, minY, maxY } }: GroundFrame, zoom: number): [number, number][] {
  const tile = (world: number) => Math.floor(world * 2 ** zoom);
  const [west, east, north, south] = [tile(worldX(minX)), tile(worldX(maxX)), tile(worldY(maxY)), tile(worldY(minY))];
  const columns = east - west + 1;
  const count = columns * (south - north + 1);
  if (count > mostTiles) return [];
  return Array.from({ length: count }, (_, at) => [west + (at % columns), north + Math.floor(at / columns)]);
}

function boxOf(frame: GroundFrame, zoom: number, x: number, y: number): Box {
  const [west, east] = [x, x + 1].map((column) => longitudeOf(column / 2 ** zoom)) as [number, number];
  const [north, south] = [y, y + 1].map((row) => latitudeOf(row / 2 ** zoom)) as [number, number];
  const box = boxOnPage(frame, { minX: west, maxX: east, minY: south, maxY: north });
  return { ...box, width: box.width + overlap, height: box.height + overlap };
}

/** Of another picture, as of a tile with holes, or of four colors, whose inks a printer would mix its own way: a JPEG of it on white. */
async function jpegOf(bytes: Uint8Array): Promise<Jpeg | null> {
  const own = strippedJpeg(bytes);
  if (own && own.channels !== 4) return { ...own, bytes: () => own.bytes };
  const made = await smallPhoto(bytes, recoded);
  return made && { ...made, bytes: () => made.bytes };
}
