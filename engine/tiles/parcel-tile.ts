/** The parcel tile: polygons with attributes, and labels. There is no limit of rows, which would leave white holes. */
import type { Bounds } from '../geo/geometry.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import { mapZooms } from '../spec/map-zooms.ts';
import type { LandStore } from '../store/land-store.ts';
import { type LabelRoom, labelRoom } from './label-room.ts';
import { type Attribute, extent, LayerWriter, writeTile } from './mvt-writer.ts';
import { nearByColumns } from './near-by-columns.ts';
import { type Fill, type LeastSize, type NearParcels, nearBySql, type Texts } from './near-parcels.ts';
import { PolygonPainter } from './polygon-painter.ts';
import { PolygonScanner } from './polygon-scanner.ts';
import { buffer, type TilePlace } from './tile-place.ts';

/** Attributes for the map's fills: dictionary columns and `value_per_acre`. */
export const parcelAttributes = [
  'acres',
  'owner_type',
  'value_per_acre',
  'slope_mean_percent',
  'flood_zone_percent',
  'structure_count',
  'apn',
] as const;

const labelAttributes = ['apn', 'acres', 'owner', 'width', 'height'] as const;

/** From this zoom on every parcel has a label, since its tiles are also drawn enlarged. */
const allLabelsZoom = 15;

/** Below it a parcel needs room for a few letters when the tile is drawn at twice its size; in tile units. */
const leastLabelWidth = 240;
const leastLabelHeight = 88;

export function parcelTile(land: LandStore, place: TilePlace): Uint8Array | null {
  const painter = new PolygonPainter(place);
  const parcels = new LayerWriter('parcels', parcelAttributes);
  const labels = new LayerWriter('labels', labelAttributes);
  const least = leastSize(place, painter.near);
  land.file.snapshot(() => {
    const near = nearByColumns(land, painter.near, least) ?? [nearBySql(land.file, painter.near, least)];
    for (const some of near) drawParcels(some, place, painter, parcels, labels);
  });
  return writeTile([parcels, labels]);
}

function leastSize({ z }: TilePlace, { minX, minY, maxX, maxY }: Bounds): LeastSize {
  if (z < mapZooms.lotLabels) return { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };
  const share = z >= allLabelsZoom ? 0 : 1 / (extent + 2 * buffer);
  // Half the height: a degree of latitude varies over a tile. Parcels selected in excess are measured exactly below.
  return { width: (maxX - minX) * leastLabelWidth * share, height: ((maxY - minY) * leastLabelHeight * share) / 2 };
}

function drawParcels(
  { ids, shapes, starts, lengths, readFill, texts }: NearParcels,
  place: TilePlace,
  painter: PolygonPainter,
  parcels: LayerWriter,
  labels: LayerWriter,
): void {
  const scanner = new PolygonScanner(shapes);
  const fill: Fill = { acres: null, ownerType: null, value: null, slope: null, flood: null, structures: null };
  for (let at = 0; at < ids.length; at++) {
    const isShape =
      scanner.begin(starts[at] as number, lengths[at] as number) && painter.drawBlob(parcels, scanner, true);
    if (!isShape) continue;
    const id = ids[at] as number;
    const text = texts.get(id);
    readFill(at, fill);
    addParcel(parcels, id, fill, place.z >= allLabelsZoom ? (text?.apn ?? null) : null);
    if (text) addLabel(labels, place, id, text, fill.acres, scanner.blob);
  }
}

const values: Attribute[] = [];

function addParcel(
  layer: LayerWriter,
  id: number,
  { acres, ownerType, value, slope, flood, structures }: Fill,
  apn: string | null,
): void {
  if (!layer.hasGeometry) return;
  values[0] = acres;
  values[1] = ownerType;
  values[2] = perAcre(value, acres);
  values[3] = slope;
  values[4] = flood;
  values[5] = structures;
  values[6] = apn;
  layer.feature(id, values);
}

/** Whole US dollars per acre; null if either is unknown or acres are 0. */
const perAcre = (value: number | null, acres: number | null): number | null =>
  value === null || acres === null || acres <= 0 ? null : Math.round(value / acres);

function addLabel(
  layer: LayerWriter,
  place: TilePlace,
  id: number,
  { longitude, latitude, apn, owner }: Texts,
  acres: number | null,
  shape: Uint8Array,
): void {
  const room = labelRoom(decodeMultiPolygon(shape), longitude, latitude);
  if (!place.holds(room.longitude, room.latitude)) return;
  const [width, height] = sizeOf(place, room);
  if (place.z < allLabelsZoom && (width < leastLabelWidth || height < leastLabelHeight)) return;
  layer.point(Math.floor(place.unitsX(room.longitude)), Math.floor(place.unitsY(room.latitude)));
  layer.feature(id, [apn, acres, owner, width, height]);
}

const sizeOf = (place: TilePlace, { longitude, latitude, width, height }: LabelRoom): [number, number] => [
  Math.floor(place.unitsX(longitude + width / 2) - place.unitsX(longitude - width / 2)),
  Math.floor(place.unitsY(latitude - height / 2) - place.unitsY(latitude + height / 2)),
];
