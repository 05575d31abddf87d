/** Draws a parcel among its neighbors as vectors: to scale, north up, with a scale bar. */

import type { Bounds, MultiPolygon } from '../geo/geometry.ts';
import { boundsOfMultiPolygon } from '../geo/geometry.ts';
import { localMetric, metersPerFoot } from '../geo/local-metric.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import type { LandStore } from '../store/land-store.ts';
import type { Box, Ink, Path, SheetPage } from './sheet-page.ts';

const paper: Ink = [0.97, 0.96, 0.93];
const neighbor: Ink = [0.55, 0.56, 0.53];
const line: Ink = [0.08, 0.28, 0.55];
const fill: Ink = [0.8, 0.87, 0.95];

/** Share of the picture that the parcel fills. */
const share = 0.62;

const neighborsSql = `
SELECT p.geom FROM idx_parcels_geom i JOIN parcels p ON p.property_id = i.pkid
WHERE i.xmin <= :maxX AND i.xmax >= :minX AND i.ymin <= :maxY AND i.ymax >= :minY
  AND p.property_id <> :id AND p.status = 'current' LIMIT 2000`;

/** From degrees to points of the page, with the meters per point. */
interface Projection {
  readonly toPage: (longitude: number, latitude: number) => readonly [number, number];
  readonly metersPerPoint: number;
  readonly view: Bounds;
}

function projectionOf(bounds: Bounds, box: Box): Projection {
  const [centerX, centerY] = [(bounds.minX + bounds.maxX) / 2, (bounds.minY + bounds.maxY) / 2];
  const metric = localMetric(centerY);
  const wide = ((bounds.maxX - bounds.minX) * metric.x) / (box.width * share);
  const high = ((bounds.maxY - bounds.minY) * metric.y) / (box.height * share);
  // A parcel without extent still shows some surroundings.
  const metersPerPoint = Math.max(wide, high, 0.1);
  const half = { x: (box.width / 2) * (metersPerPoint / metric.x), y: (box.height / 2) * (metersPerPoint / metric.y) };
  return {
    metersPerPoint,
    view: { minX: centerX - half.x, maxX: centerX + half.x, minY: centerY - half.y, maxY: centerY + half.y },
    toPage: (longitude, latitude) => [
      box.x + box.width / 2 + ((longitude - centerX) * metric.x) / metersPerPoint,
      box.y + box.height / 2 - ((latitude - centerY) * metric.y) / metersPerPoint,
    ],
  };
}

const pathsOf = (polygons: MultiPolygon, { toPage }: Projection): Path[] =>
  polygons
    .flat()
    .map((ring) =>
      Array.from({ length: ring.length / 2 - 1 }, (_, at) => toPage(ring[2 * at] ?? 0, ring[2 * at + 1] ?? 0)),
    );

/** Length of the scale bar in feet: the largest 1, 2 or 5 × 10ⁿ that fits into a quarter of the picture. */
export function scaleBarFeet(metersPerPoint: number, width: number): number {
  const most = (width / 4) * (metersPerPoint / metersPerFoot);
  const ten = 10 ** Math.floor(Math.log10(most));
  return ([5, 2, 1].find((times) => times * ten <= most) ?? 1) * ten;
}

export function drawMap(page: SheetPage, land: LandStore, propertyId: number, geom: Uint8Array, box: Box): void {
  const polygons = decodeMultiPolygon(geom);
  const projection = projectionOf(boundsOfMultiPolygon(polygons), box);
  const { x, y, width, height } = box;
  const frame: Path = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
  page.area([frame], box, { fill: paper });
  for (const row of land.file.all<{ geom: Uint8Array }>(neighborsSql, { ...projection.view, id: propertyId }))
    page.area(pathsOf(decodeMultiPolygon(row.geom), projection), box, { stroke: neighbor, width: 0.5 });
  page.area(pathsOf(polygons, projection), box, { fill, stroke: line, width: 1.6 });
  page.area([frame], { x: x - 1, y: y - 1, width: width + 2, height: height + 2 }, { stroke: neighbor, width: 0.8 });
  const feet = scaleBarFeet(projection.metersPerPoint, width);
  const length = (feet * metersPerFoot) / projection.metersPerPoint;
  const [left, base] = [x + 10, y + height - 10];
  page.area(
    [
      [
        [left, base - 3],
        [left + length, base - 3],
        [left + length, base],
        [left, base],
      ],
    ],
    box,
    { fill: line },
  );
  page.text(left, base - 7, 8, `${feet.toLocaleString('en-US')} ft`);
  const north = x + width - 16;
  page.area(
    [
      [
        [north, y + 10],
        [north + 5, y + 26],
        [north, y + 22],
        [north - 5, y + 26],
      ],
    ],
    box,
    { fill: line },
  );
  page.text(north - 3, y + 36, 8, 'N');
}
