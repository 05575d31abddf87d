/** Townships and sections of a county's survey layer, for pages of a book and for the search by their names. */
import { aliquotShape } from '../geo/aliquot-shape.ts';
import { type Bounds, boundsOfMultiPolygon, type MultiPolygon, type PolygonRings } from '../geo/geometry.ts';
import { decodeMultiPolygon } from '../geo/spatialite-blob.ts';
import { type LegalTract, parseLegalDescription, tractText } from '../spec/plss/legal-description.ts';
import type { LandStore } from '../store/land-store.ts';

interface Township {
  /** `T5N R3W` */
  readonly name: string;
  /** `6th PM`; null if the layer does not say. */
  readonly meridian: string | null;
  /** Degrees, WGS84. */
  readonly polygons: MultiPolygon;
  readonly bounds: Bounds;
}

/** As the map letters them; places of the survey are written by enrichment/survey-features.ts. */
const townshipPlace = /^(T\d+½?[NS] R\d+½?[EW])(?:, (.*))?$/;

/** By name; none without a layer `plss`. Townships that lie near the parcels, whole. */
export function townshipsOf({ file }: LandStore, fips: string): Township[] {
  const rows = file.all<{ place: string; geom: Uint8Array }>(
    `SELECT f.class AS place, f.geom FROM layers l JOIN layer_features f USING (layer_id)
     WHERE l.fips = ? AND l.kind = 'plss' AND f.class LIKE 'T%' ORDER BY f.class, f.feature_id`,
    fips,
  );
  return rows.flatMap(({ place, geom }) => {
    const [, name, meridian] = townshipPlace.exec(place) ?? [];
    if (name === undefined) return [];
    const polygons = decodeMultiPolygon(geom);
    return [
      {
        ...{ name, polygons, bounds: boundsOfMultiPolygon(polygons) },
        meridian: meridian?.replace(/ Meridian$/, '') ?? null,
      },
    ];
  });
}

export interface SurveyPlace {
  /** `NE¼SW¼, S12 T5N R3W, 6th PM` */
  readonly name: string;
  readonly fips: string;
  /** The box of the township, the section or its parts. */
  readonly bounds: Bounds;
  /** For the filter `plss`; null for a part of a section, which parcels do not know. */
  readonly plss: string | null;
}

/** More tracts are no place to look at. */
const mostTracts = 5;

/** What a text like `T5N R3W S12` names in the survey layers. @param fips null: of all counties of the home */
export function surveyPlaces(land: LandStore, text: string, fips: string | null): SurveyPlace[] {
  const { tracts, unread } = parseLegalDescription(text);
  if (unread.length > 0) return [];
  return tracts.slice(0, mostTracts).flatMap((tract) => placesOf(land, tract, fips));
}

function placesOf({ file }: LandStore, tract: LegalTract, fips: string | null): SurveyPlace[] {
  const { township, range, section, meridian } = tract;
  if (township === null || range === null) return [];
  const whole = tractText({ ...tract, parts: [], lots: [], meridian: null });
  const rows = file.all<{ fips: string; place: string; geom: Uint8Array }>(
    `SELECT l.fips, f.class AS place, f.geom FROM layers l JOIN layer_features f USING (layer_id)
     WHERE l.kind = 'plss' AND (:fips IS NULL OR l.fips = :fips) AND (f.class = :whole OR f.class LIKE :whole || ', %')
     ORDER BY l.fips, f.feature_id`,
    { fips, whole },
  );
  return rows.flatMap((row) => {
    const [found] = parseLegalDescription(row.place).tracts;
    if (found === undefined || (meridian !== null && found.meridian !== meridian)) return [];
    const hasParts = tract.lots.length > 0 || tract.parts.some(({ length }) => length > 0);
    return [
      {
        name: tractText({ ...tract, meridian: found.meridian }),
        fips: row.fips,
        bounds: boundsOfMultiPolygon(partsOf(tract, decodeMultiPolygon(row.geom))),
        plss: hasParts ? null : `${township} ${range}${section === null ? '' : ` S${section}`}`,
      },
    ];
  });
}

/** Lots have no rule: the whole section. */
function partsOf({ parts, lots }: LegalTract, section: MultiPolygon): MultiPolygon {
  const [outline] = section;
  if (outline === undefined || lots.length > 0 || section.length > 1) return section;
  const shapes = parts
    .map((part) => aliquotShape(outline, part))
    .filter((shape): shape is PolygonRings => shape !== null);
  return shapes.length > 0 ? shapes : section;
}
