/**
 * A window on the ground as it lies on a page: north up, to scale, in local meters of its own center. Within it degrees and
 * points are exactly affine, so that the georeference needs no projection.
 */
import { pdfNumber, pdfText } from '../exporting/pdf-file.ts';
import type { Box } from '../exporting/pdf-page.ts';
import type { Bounds } from '../geo/geometry.ts';
import { localMetric } from '../geo/local-metric.ts';
import { pointsPerMeter, zoomOfScale } from '../spec/sheet-paper.ts';

export interface GroundFrame {
  /** On the page, points from the top left. */
  readonly box: Box;
  /** Degrees. */
  readonly longitude: number;
  readonly latitude: number;
  /** 6000 for 1:6,000. */
  readonly scale: number;
  readonly pointsPerMeter: number;
  /** Zoom of the screen's map at which it has this scale: it decides widths, labels and contours. */
  readonly zoom: number;
  readonly bounds: Bounds;
  x(longitude: number): number;
  y(latitude: number): number;
}

export function groundFrame(box: Box, [longitude, latitude]: readonly [number, number], scale: number): GroundFrame {
  const metric = localMetric(latitude);
  const points = pointsPerMeter(scale);
  const [pointsX, pointsY] = [metric.x * points, metric.y * points];
  const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
  const [halfX, halfY] = [box.width / 2 / pointsX, box.height / 2 / pointsY];
  return {
    ...{ box, longitude, latitude, scale, pointsPerMeter: points },
    zoom: zoomOfScale(scale, latitude),
    bounds: { minX: longitude - halfX, maxX: longitude + halfX, minY: latitude - halfY, maxY: latitude + halfY },
    x: (lon) => middleX + (lon - longitude) * pointsX,
    y: (lat) => middleY - (lat - latitude) * pointsY,
  };
}

/** A box of degrees, as it lies on the page. */
export const boxOnPage = (frame: GroundFrame, { minX, minY, maxX, maxY }: Bounds): Box => ({
  x: frame.x(minX),
  y: frame.y(maxY),
  width: frame.x(maxX) - frame.x(minX),
  height: frame.y(minY) - frame.y(maxY),
});

const wgs84 =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]';

/**
 * The page's entries that tell map apps where its frame lies: that of ISO 32000 (Adobe's supplement, BaseVersion 1.7, 8.8.1) and
 * the older one of OGC 08-139r3. They hold all keys that GDAL writes into its own.
 * @param title of the map
 */
export function georeference({ box, bounds }: GroundFrame, pageHeight: number, title: string): Record<string, string> {
  const { minX, minY, maxX, maxY } = bounds;
  const corners = [minY, minX, maxY, minX, maxY, maxX, minY, maxX].map((degrees) => pdfNumber(degrees, 9));
  const [bottom, top] = [pageHeight - box.y - box.height, pageHeight - box.y];
  const frame = [box.x, bottom, box.x + box.width, top].map((points) => pdfNumber(points));
  const unit = '0 0 0 1 1 1 1 0';
  const system = `<< /Type /GEOGCS /EPSG 4326 /WKT (${wgs84}) >>`;
  const measure = `<< /Type /Measure /Subtype /GEO /Bounds [${unit}] /GPTS [${corners.join(' ')}] /LPTS [${unit}] /GCS ${system} >>`;
  const [perX, perY] = [(maxX - minX) / box.width, (maxY - minY) / box.height];
  // Degrees of a point of the page, as texts: numbers of PDF have fewer digits.
  const matrix = [perX, 0, 0, perY, minX - perX * box.x, minY - perY * bottom].map((one) => `(${one.toPrecision(15)})`);
  const [west, south, east, north] = frame;
  const neatline = [west, south, west, north, east, north, east, south];
  const projection = `<< /Type /Projection /ProjectionType (GEOGRAPHIC) /Datum (WGE) /WKT (${wgs84}) >>`;
  return {
    VP: `[<< /Type /Viewport /Name ${pdfText(title)} /BBox [${frame.join(' ')}] /Measure ${measure} >>]`,
    LGIDict: `<< /Type /LGIDict /Version (2.1) /Description ${pdfText(title)} /CTM [${matrix.join(' ')}] /Neatline [${neatline.join(' ')}] /Projection ${projection} >>`,
  };
}
