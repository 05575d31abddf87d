/** Finds township, range and section of a parcel: the section with the largest share of its area. */
import { coveredArea } from '../geo/covered-area.ts';
import { boundsOfMultiPolygon, type MultiPolygon } from '../geo/geometry.ts';
import { polygonHoldsPoint } from '../geo/holds-point.ts';
import type { LayerIndex } from './layer-index.ts';
import { distinct } from './layer-index.ts';
import { type Finding, unknownFor } from './layer-kinds.ts';
import { noPlace } from './places.ts';
import type { SurveyPlace } from './survey-features.ts';

/**
 * Sections come before townships, which hold them. With equal shares the one that the layer has first.
 * @param places by class
 */
export function surveyOf(parcel: MultiPolygon, layer: LayerIndex, places: readonly SurveyPlace[]): Finding {
  const pieces = layer.find(boundsOfMultiPolygon(parcel));
  const classes = distinct(pieces.map((piece) => layer.classOf(piece)));
  const covering = pieces.map((piece) => ({
    polygon: layer.polygon(piece),
    coverClass: classes.indexOf(layer.classOf(piece)),
  }));
  const { byClass } = coveredArea(parcel, covering, classes.length);
  const shares = classes.map((place, index) => ({ place, area: byClass[index] ?? 0 })).filter(({ area }) => area > 0);
  const sections = shares.filter(({ place }) => places[place]?.section !== null);
  const [first, ...others] = sections.length > 0 ? sections : shares;
  if (first === undefined) return unknownFor('plss', noPlace);
  const { place } = others.reduce((most, one) => (one.area > most.area ? one : most), first);
  return findingOf(place, pieces, layer, places);
}

/** For a parcel that is a point alone. */
export function surveyAt(
  [x, y]: readonly [number, number],
  layer: LayerIndex,
  places: readonly SurveyPlace[],
): Finding {
  const pieces = layer
    .find({ minX: x, minY: y, maxX: x, maxY: y })
    .filter((piece) => polygonHoldsPoint(layer.polygon(piece), x, y));
  const piece = pieces.find((one) => places[layer.classOf(one)]?.section !== null) ?? pieces[0];
  return piece === undefined ? unknownFor('plss', noPlace) : findingOf(layer.classOf(piece), pieces, layer, places);
}

function findingOf(
  place: number,
  pieces: readonly number[],
  layer: LayerIndex,
  places: readonly SurveyPlace[],
): Finding {
  const { township = null, range = null, section = null, meridian = null } = places[place] ?? {};
  const used = pieces.filter((piece) => layer.classOf(piece) === place).map((piece) => layer.featureOf(piece));
  return { values: [township, range, section, meridian], used: distinct(used), reason: null };
}
