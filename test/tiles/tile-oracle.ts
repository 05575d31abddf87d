/**
 * Where degrees lie on a tile, by the formulas of the grid itself
 * (https://wiki.openstreetmap.org/wiki/Slippy_map_tilenames), a fill that knows nothing of rings' directions, and the tiles
 * that a box meets.
 */
import { type Bounds, boundsOfMultiPolygon, boundsOverlap, type MultiPolygon } from '../../engine/geo/geometry.ts';
import { decodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import type { Engine } from '../../engine/index.ts';

export const unitsASide = 4096;

export interface TileAddress {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Units from the north-west corner of the world. */
export function worldUnits(z: number, longitude: number, latitude: number): [number, number] {
  const side = unitsASide * 2 ** z;
  const radians = (latitude * Math.PI) / 180;
  return [
    ((longitude + 180) / 360) * side,
    ((1 - Math.log(Math.tan(radians) + 1 / Math.cos(radians)) / Math.PI) / 2) * side,
  ];
}

/** Units on a tile. */
export function tileUnits({ z, x, y }: TileAddress, longitude: number, latitude: number): [number, number] {
  const [worldX, worldY] = worldUnits(z, longitude, latitude);
  return [worldX - x * unitsASide, worldY - y * unitsASide];
}

/** Every tile of a zoom that a box meets. */
export function* tilesOf({ minX, minY, maxX, maxY }: Bounds, z: number): Generator<TileAddress> {
  const cell = (units: number) => Math.min(2 ** z - 1, Math.max(0, Math.floor(units / unitsASide)));
  const [west, north] = worldUnits(z, minX, maxY).map(cell) as [number, number];
  const [east, south] = worldUnits(z, maxX, minY).map(cell) as [number, number];
  for (let y = north; y <= south; y++) for (let x = west; x <= east; x++) yield { z, x, y };
}

/** A closed ring in degrees around a tile and so many units more. */
export function tileRing({ z, x, y }: TileAddress, around: number): Float64Array {
  const side = unitsASide * 2 ** z;
  const longitude = (units: number) => (units / side) * 360 - 180;
  const latitude = (units: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * units) / side))) * 180) / Math.PI;
  const [west, east] = [x * unitsASide - around, (x + 1) * unitsASide + around].map(longitude) as [number, number];
  const [north, south] = [y * unitsASide - around, (y + 1) * unitsASide + around].map(latitude) as [number, number];
  return Float64Array.of(west, south, east, south, east, north, west, north, west, south);
}

export interface OracleParcel {
  readonly id: number;
  readonly blob: Uint8Array;
  readonly polygons: MultiPolygon;
  readonly box: Bounds;
}

export const currentShapes = (engine: Engine): OracleParcel[] =>
  engine.land.file
    .all<{ property_id: number; geom: Uint8Array }>(
      "SELECT property_id, geom FROM parcels WHERE status = 'current' AND geom IS NOT NULL ORDER BY property_id",
    )
    .map(({ property_id, geom }) => {
      const polygons = decodeMultiPolygon(geom);
      return { id: property_id, blob: geom, polygons, box: boundsOfMultiPolygon(polygons) };
    });

/** Parcels whose box meets a tile and so many units around it. */
export function shapesNear(shapes: readonly OracleParcel[], address: TileAddress, around: number): OracleParcel[] {
  const [minX = 0, minY = 0, maxX = 0, , , maxY = 0] = tileRing(address, around);
  const box = { minX, minY, maxX, maxY };
  return shapes.filter((shape) => boundsOverlap(shape.box, box));
}

/** Every tile of a zoom on which some parcel's box lies: two counties may be a continent apart. */
export function tilesOfShapes(shapes: readonly OracleParcel[], z: number): TileAddress[] {
  const found = new Map<string, TileAddress>();
  for (const { box } of shapes) {
    for (const address of tilesOf(box, z)) found.set(`${address.x} ${address.y}`, address);
  }
  return [...found.values()];
}

export function landBounds(engine: Engine): Bounds {
  const row = engine.land.file.get<Bounds>(
    `SELECT min(xmin) AS minX, min(ymin) AS minY, max(xmax) AS maxX, max(ymax) AS maxY FROM idx_parcels_geom
     WHERE pkid IN (SELECT property_id FROM parcels WHERE status = 'current')`,
  );
  if (!row) throw new Error('the land file has no shapes');
  return row;
}

type Points = readonly (readonly [number, number])[];

/** A picture of a tile, `side` pixels a side: a pixel is set where its middle lies in a filled shape (even-odd). */
export class Picture {
  readonly side: number;
  readonly pixels: Uint8Array;

  constructor(side: number) {
    this.side = side;
    this.pixels = new Uint8Array(side * side);
  }

  /** @param rings of one shape, in units of the tile, closed or not */
  fill(rings: readonly Points[]): void {
    const unitsAPixel = unitsASide / this.side;
    const rows = new Map<number, number[]>();
    for (const ring of rings) {
      for (const [index, [ax, ay]] of ring.entries()) {
        const [bx, by] = ring[(index + 1) % ring.length] ?? [ax, ay];
        const first = Math.max(0, Math.ceil(Math.min(ay, by) / unitsAPixel - 0.5));
        const last = Math.min(this.side - 1, Math.ceil(Math.max(ay, by) / unitsAPixel - 0.5) - 1);
        for (let row = first; row <= last; row++) {
          const y = (row + 0.5) * unitsAPixel;
          const crossings = rows.get(row) ?? [];
          crossings.push(ax + ((y - ay) / (by - ay)) * (bx - ax));
          rows.set(row, crossings);
        }
      }
    }
    for (const [row, crossings] of rows) {
      crossings.sort((a, b) => a - b);
      for (let at = 0; at + 1 < crossings.length; at += 2) {
        const from = Math.max(0, Math.ceil((crossings[at] as number) / unitsAPixel - 0.5));
        const to = Math.min(this.side - 1, Math.ceil((crossings[at + 1] as number) / unitsAPixel - 0.5) - 1);
        if (to >= from) this.pixels.fill(1, row * this.side + from, row * this.side + to + 1);
      }
    }
  }
}
