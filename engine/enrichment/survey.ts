/** Finds township, range and section of a parcel: those with the largest share of its area. */
import { coveredArea } from '../geo/covered-area.ts';
import { boundsOfMultiPolygon, type MultiPolygon } from '../geo/geometry.ts';
import { polygonHoldsPoint } from '../geo/holds-point.ts';
import type { LayerIndex } from './layer-index.ts';
import { distinct } from './layer-index.ts';
import { type Finding, unknownFor } from './layer-kinds.ts';
import { noPlace } from './places.ts';
import type { SurveyPlace } from './survey-features.ts';

/** Why a parcel that the layer touches has no township. */
export const mostlyBeyond = 'less than half of the parcel lies in the layer';

/**
 * The township that holds most, and of its sections the one that holds most, if they cover most of the land there: a sliver of
 * one would give a section to land that lies beyond those that are known. With equal shares what the layer has first.
 * @param places by class
 */
export function surveyOf(parcel: MultiPolygon, layer: LayerIndex, places: readonly SurveyPlace[]): Finding {
  const pieces = layer.find(boundsOfMultiPolygon(parcel));
  const classes = distinct(pieces.map((piece) => layer.classOf(piece)));
  const covering = pieces.map((piece) => ({
    polygon: layer.polygon(piece),
    coverClass: classes.indexOf(layer.classOf(piece)),
  }));
  const { parcel: whole, covered, byClass } = coveredArea(parcel, covering, classes.length);
  if (covered === 0) return unknownFor('plss', noPlace);
  if (covered < leastShare * whole) return unknownFor('plss', mostlyBeyond);
  const shares = classes
    .map((place, index): Share => ({ place, area: byClass[index] ?? 0 }))
    .filter(({ area }) => area > 0);
  const placeOfShare = ({ place }: Share) => places[place];
  const townships = [...Map.groupBy(shares, (one) => townshipKey(placeOfShare(one))).values()].map((inside) => {
    const sections = [...Map.groupBy(inside, (one) => placeOfShare(one)?.section ?? null)];
    const outline = largestOf(sections.find(([section]) => section === null)?.[1] ?? []);
    const divided = sections.flatMap(([section, own]) => (section === null ? [] : [sectionShare(own)]));
    const area = divided.reduce((sum, one) => sum + one.area, 0);
    return { outline, divided, area: Math.max(area, outline?.area ?? 0), sectionArea: area };
  });
  const { outline, divided, area, sectionArea } = largestOf(townships) as (typeof townships)[number];
  const section = sectionArea >= leastShare * area ? largestOf(divided) : undefined;
  return findingOf((section ?? outline ?? (largestOf(divided) as Share)).place, pieces, layer, places);
}

/** Less of a parcel in the layer, or of a township's part of it in sections, tells nothing of the rest. */
const leastShare = 0.5;

interface Share {
  /** Class of the layer. */
  readonly place: number;
  /** Square meters of the parcel. */
  readonly area: number;
}

const townshipKey = (place: SurveyPlace | undefined): string => `${place?.township} ${place?.range} ${place?.meridian}`;

/** The first of several that are as large; undefined: none. */
const largestOf = <One extends { readonly area: number }>(all: readonly One[]): One | undefined =>
  all.reduce<One | undefined>((most, one) => (most === undefined || one.area > most.area ? one : most), undefined);

/** A section, or what the layer has of it: its quarters, with the place of the largest. */
const sectionShare = (own: readonly Share[]): Share => ({
  ...(largestOf(own) as Share),
  area: own.reduce((sum, { area }) => sum + area, 0),
});

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
