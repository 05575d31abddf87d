/** What a layer of shapes probably holds, by the columns and names that publishers give it. */
import { layerShapes } from './layer-files.ts';
import {
  type ComputedKind,
  isLayerLook,
  type LayerKind,
  type LayerLook,
  layerTitles,
  lookTitles,
} from './layer-titles.ts';

/** A kind that completes parcels, or the look of a layer that is only drawn. */
export type LayerContent = ComputedKind | LayerLook;

type ShapeKind = 'polygons' | 'lines' | 'points';

interface Likeness {
  readonly shapes: ShapeKind;
  /** Columns that no other content has. */
  readonly column: RegExp;
  /** In the name of the file or the layer. */
  readonly name: RegExp;
  /** The name says as much as a column: the Census gives railways the columns of roads. */
  readonly isSaidByName?: true;
}

const { polygons, lines, points } = { polygons: 'polygons', lines: 'lines', points: 'points' } as const;

/** Streams before roads: the Census gives both MTFCC. */
const likenesses: Readonly<Partial<Record<LayerContent, Likeness>>> = {
  flood: { shapes: polygons, column: /^(fld_zone|fldzone|flood_?zone|fld_ar_id|sfha_tf)$/i, name: /flood|fld_haz/i },
  wetlands: { shapes: polygons, column: /^(wetland_ty(pe)?|nwi_id)$/i, name: /wetland/i },
  schools: {
    shapes: polygons,
    column: /^((un|el|sc)sdlea|sdlea|leaid|sch(ool)?_?dist(rict)?(_?name)?)$/i,
    name: /school/i,
  },
  plss: {
    shapes: polygons,
    column: /^(frstdiv(id|no|typ|lab)|secdiv(id|no|typ|lab)|twnshp(no|dir|lab)|rangeno|rangedir|plssid|prinmer(cd)?)$/i,
    name: /plss|cadnsdi|first_?division/i,
  },
  zips: { shapes: polygons, column: /^(zcta5\w*|geoid20_zcta)$/i, name: /zcta|zip_?codes?|zip_?areas/i },
  buildings: {
    shapes: polygons,
    column: /^(building|bldg_?(id|type)|footprint\w*|capture_dates_range|build_id|occ_cls|prim_occ)$/i,
    name: /building|bldg|footprint|structures/i,
  },
  water: {
    shapes: polygons,
    column: /^(reachcode|gnis_id|hydroid|awater_?type|waterbody\w*)$/i,
    name: /area_?water|water_?(bod|area)|(^|[^a-z])(lakes|ponds?|water)([^a-z]|$)/i,
  },
  public: {
    shapes: polygons,
    column: /^(mang_name|mang_type|d_mang_nam|unit_nm|gap_sts|iucn_cat|pub_access|forestname|admin_agency_code)$/i,
    name: /pad_?us|protected|^public(\.\w+)?$|public_?(land|forest|park)|conservation_?land|(state|national)_?(forest|park)/i,
  },
  woods: {
    shapes: polygons,
    column: /^(forest_?type|for_?type|canopy\w*|tree_?cover)$/i,
    name: /(^|[^a-z])(woods|woodland|forest_?(cover|stands)|tree_?(cover|canopy))/i,
  },
  rail: {
    shapes: lines,
    column: /^(rrowner\d?|railway|fra(ark|node|arc)\w*|trkrght\w*|branch_line)$/i,
    name: /(^|[^a-z])rails?([^a-z]|$)|railroad|railway/i,
    isSaidByName: true,
  },
  stream: {
    shapes: lines,
    column: /^(reachcode|gnis_id|waterway|hydroid|strm_\w+|stream_?(name|orde\w*))$/i,
    name: /stream|river|creek|flowline|hydro|linear_?water/i,
  },
  roads: {
    shapes: lines,
    column:
      /^(mtfcc|highway|fclass|rttyp|road_?(name|type|class|id)|street_?(name|type)|speed_?lim(it)?|fraddl|l_f_add)$/i,
    name: /road|street|highway|centerline/i,
  },
  place: {
    shapes: points,
    column: /^(feature_(class|name)|place|place(ns|fp)|elev_in_ft)$/i,
    name: /(^|[^a-z])(places?|towns|cities|villages|summits|peaks|gnis)([^a-z]|$)/i,
  },
};

export interface LayerFacts {
  /** Names of the file and the layer. */
  readonly names: readonly string[];
  readonly columns: readonly string[];
  readonly shapes: ShapeKind | null;
}

const contents = Object.keys(likenesses) as LayerContent[];

const isNamed = ({ name }: Likeness, { names }: LayerFacts): boolean => names.some((one) => name.test(one));
const hasColumn = (likeness: Likeness, facts: LayerFacts): boolean =>
  facts.columns.some((one) => likeness.column.test(one)) ||
  (likeness.isSaidByName === true && isNamed(likeness, facts));

/** A parcel may have a flood zone, and a county of them may be called Stream. */
const parcelColumn = /^(apn|parcel_?(id|no|num\w*)|pin|pid|map_?lot|tax_?id|owner\w*)$/i;

/** Columns say more than names. @returns null if nothing tells, as of parcels */
export function contentOf(facts: LayerFacts): LayerContent | null {
  if (facts.shapes !== 'lines' && facts.columns.some((name) => parcelColumn.test(name))) return null;
  const fits = (is: typeof isNamed) =>
    contents.find((content) => {
      const likeness = likenesses[content];
      return likeness !== undefined && likeness.shapes === facts.shapes && is(likeness, facts);
    });
  return fits(hasColumn) ?? fits(isNamed) ?? null;
}

/** What a layer looks like instead of its kind; null if it may be of this kind. */
export function otherContent(kind: LayerKind, facts: Omit<LayerFacts, 'shapes'>): LayerContent | null {
  const shapes = layerShapes[kind];
  if (shapes === 'raster' || shapes === 'any' || kind === 'other') return null;
  const own = likenesses[kind];
  const whole = { ...facts, shapes };
  if (own && (hasColumn(own, whole) || isNamed(own, whole))) return null;
  const content = contentOf(whole);
  return content === kind ? null : content;
}

/** `flood zones`, `ZIP areas`, `streams` */
export const contentWords = (content: LayerContent | LayerKind): string =>
  (isLayerLook(content) ? lookTitles[content] : layerTitles[content]).replace(/^[A-Z](?=[a-z])/, (letter) =>
    letter.toLowerCase(),
  );
