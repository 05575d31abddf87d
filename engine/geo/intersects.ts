/**
 * `ST_Intersects` for one query geometry against many parcels. Touching counts; a hole's edge belongs to the polygon, its
 * inside does not; parts are a union. Answers equal GEOS's for valid geometry.
 *
 * Two shapes share a point if and only if their boundaries touch, or a part of one lies wholly within the other. Where
 * boundaries do not touch, each connected part lies wholly on one side, so one vertex of it decides.
 */
import {
  type Bounds,
  boundsOfMultiPolygon,
  boundsOverlap,
  type MultiPolygon,
  type PolygonRings,
  type QueryGeometry,
} from './geometry.ts';
import { locateInPolygon, segmentsTouch } from './orientation.ts';
import { type Boundary, collectSegments, QueryIndex } from './query-index.ts';
import { blobBounds, decodeMultiPolygon } from './spatialite-blob.ts';

export interface PreparedGeometry extends Boundary {
  /** degrees */
  readonly bounds: Bounds;
  /** Whether the stored parcel shares a point with the query. Throws if the bytes are not a SpatiaLite geometry. */
  intersectsBlob(blob: Uint8Array): boolean;
  intersectsMultiPolygon(polygons: MultiPolygon): boolean;
  intersectsPoint(x: number, y: number): boolean;
}

/**
 * With up to this many query segments near a parcel, a plain double loop is faster than an R-tree search per edge (16
 * measured slower).
 */
const maxListedSegments = 64;

/**
 * Indexes the query at its first test (n log n in its vertices); a test then costs what the parcel costs, not the query. A
 * query without vertices intersects nothing.
 */
export function prepareGeometry(geometry: QueryGeometry): PreparedGeometry {
  const { bounds } = geometry;
  const boundary = collectSegments(geometry);
  let made: QueryIndex | null = null;
  const index = (): QueryIndex => {
    made ??= new QueryIndex(bounds, boundary);
    return made;
  };
  const meets = (box: Bounds, read: () => MultiPolygon): boolean =>
    boundsOverlap(bounds, box) && intersects(index(), box, read);
  return {
    bounds,
    ...boundary,
    intersectsBlob: (blob) =>
      // without a header there is no box: the decoder reports the damage
      meets(blobBounds(blob) ?? boundsOfMultiPolygon(decodeMultiPolygon(blob)), () => decodeMultiPolygon(blob)),
    intersectsMultiPolygon: (polygons) => meets(boundsOfMultiPolygon(polygons), () => polygons),
    intersectsPoint: (x, y) => {
      if (!boundsOverlap(bounds, { minX: x, minY: y, maxX: x, maxY: y })) return false;
      return index().isOnBoundary(x, y) || index().isWithinPolygons(x, y);
    },
  };
}

/** Position of a box that overlaps the query's, with the query's segments that enter it if they may matter. */
function locateBox(
  index: QueryIndex,
  box: Bounds,
): { readonly place: 'inside' | 'outside' | 'near'; readonly near: readonly number[] } {
  const location = index.locateBox(box);
  if (location !== 'mixed') return { place: location, near: [] };
  const near = index.findSegments(box);
  if (near.length > 0) return { place: 'near', near };
  return { place: index.isWithinPolygons(box.minX, box.minY) ? 'inside' : 'outside', near };
}

/** The box alone decides for most parcels; rings are read only near the query's boundary. */
function intersects(index: QueryIndex, box: Bounds, read: () => MultiPolygon): boolean {
  const { place, near } = locateBox(index, box);
  if (place !== 'near') return place === 'inside';
  const polygons = read();
  return (
    polygons.some((polygon) => isPartOfQuery(index, polygon)) ||
    polygons.some((polygon) => boundariesTouch(index, near, polygon)) ||
    polygons.some((polygon) => holdsPartOfQuery(index, near, polygon))
  );
}

/**
 * Tests one vertex of the parcel's exterior against the query's polygons. On the boundary both answers are right: the
 * shapes then touch, which `boundariesTouch` finds if this does not.
 */
function isPartOfQuery(index: QueryIndex, [exterior]: PolygonRings): boolean {
  return exterior !== undefined && index.isWithinPolygons(exterior[0] as number, exterior[1] as number);
}

function holdsPartOfQuery(
  { segments, isPartStart }: QueryIndex,
  near: readonly number[],
  polygon: PolygonRings,
): boolean {
  return near.some(
    (segment) =>
      isPartStart[segment] === 1 &&
      locateInPolygon(polygon, segments[segment * 4] as number, segments[segment * 4 + 1] as number) !== 'outside',
  );
}

function boundariesTouch(index: QueryIndex, near: readonly number[], polygon: PolygonRings): boolean {
  const { segments, tree } = index;
  for (const ring of polygon) {
    for (let at = 0; at + 3 < ring.length; at += 2) {
      const ax = ring[at] as number;
      const ay = ring[at + 1] as number;
      const bx = ring[at + 2] as number;
      const by = ring[at + 3] as number;
      const minX = Math.min(ax, bx);
      const minY = Math.min(ay, by);
      const maxX = Math.max(ax, bx);
      const maxY = Math.max(ay, by);
      const touches = (segment: number): boolean => {
        const start = segment * 4;
        const cx = segments[start] as number;
        const cy = segments[start + 1] as number;
        const dx = segments[start + 2] as number;
        const dy = segments[start + 3] as number;
        if ((cx < minX && dx < minX) || (cx > maxX && dx > maxX)) return false;
        if ((cy < minY && dy < minY) || (cy > maxY && dy > maxY)) return false;
        return segmentsTouch(ax, ay, bx, by, cx, cy, dx, dy);
      };
      const isTouched =
        near.length <= maxListedSegments ? near.some(touches) : tree.collides(minX, minY, maxX, maxY, touches);
      if (isTouched) return true;
    }
  }
  return false;
}
