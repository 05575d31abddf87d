/** What a shared page shows, read in one snapshot: parcels with their facts, and what each part holds. */
import type { MultiPolygon } from '../geo/geometry.ts';
import { fieldMarks, type Photo } from '../query/field-marks.ts';
import { findFields } from '../query/parcel-detail.ts';
import { storedShapes } from '../query/parcel-shapes.ts';
import { polygonsOf } from '../sheet/map-content.ts';
import type { LayerSource } from '../sheet/source-words.ts';
import { counted } from '../spec/counted.ts';
import type { ParcelField } from '../spec/parcel-fields.ts';
import { exportWorkColumns } from '../work/export-work-columns.ts';
import { type ShareChoice, type ShareHome, sharedIds } from './share-choice.ts';
import {
  columnsOf,
  factsOf,
  type PartName,
  publicFacts,
  type SharePart,
  type ShareValues,
  shareParts,
} from './share-parts.ts';

export interface SharedParcel {
  /** On the map and in the list; 1 is the first. */
  readonly number: number;
  readonly apn: string;
  readonly place: string;
  readonly acres: number | null;
  /** Null: the county's file has no shape. */
  readonly polygons: MultiPolygon | null;
  /** Longitude and latitude of a point in it. */
  readonly point: readonly [number, number] | null;
  readonly facts: readonly (readonly [label: string, text: string])[];
}

/** What goes if a part is ticked. */
export interface PartPreview {
  readonly name: PartName;
  readonly label: string;
  readonly docs: string;
  /** Parcels that have it; photos with a place. */
  readonly count: number;
  /** Null: there is nothing to go. */
  readonly example: string | null;
}

export interface ShareContent {
  readonly title: string;
  readonly subtitle: string;
  readonly parcels: readonly SharedParcel[];
  /** All photos of these parcels. */
  readonly photos: readonly (Photo & { readonly number: number })[];
  readonly parts: readonly PartPreview[];
  readonly sources: readonly LayerSource[];
  readonly notes: readonly string[];
}

const always: readonly ParcelField[] = ['apn', 'county_name', 'fips', 'point', 'source_name', 'source_date'];
const columns = [
  ...new Set([...always, ...columnsOf(publicFacts), ...shareParts.flatMap(({ rows }) => columnsOf(rows))]),
];

/** @throws EngineError validation_error, not_found */
export function shareContent(engine: ShareHome, choice: ShareChoice): ShareContent {
  const { ids, retired } = sharedIds(engine, choice);
  const rows = valuesOf(engine, ids);
  const shapes = storedShapes(engine.land, ids);
  const wanted = new Set<string>(choice.parts);
  const shown = [publicFacts, ...shareParts.filter(({ name }) => wanted.has(name)).map(({ rows: of }) => of)].flat();
  const numbers = new Map(ids.map((id, at) => [id, at + 1]));
  const parcels = ids.map((id, at): SharedParcel => {
    const values = rows.get(id) ?? {};
    const shape = shapes.get(id);
    const { apn, county_name: county, acres, calculated_acres: mapped, point } = values;
    return {
      number: at + 1,
      apn: String(apn || 'no APN'),
      place: [values.situs_address, values.situs_city, county].filter(Boolean).join(', '),
      acres: (acres ?? mapped ?? null) as number | null,
      polygons: shape ? polygonsOf(shape) : null,
      point: point as SharedParcel['point'],
      facts: factsOf(shown, values),
    };
  });
  const photos = fieldMarks(engine, null).photos.flatMap((photo) => {
    const number = numbers.get(photo.property_id ?? -1);
    return number === undefined ? [] : [{ ...photo, number }];
  });
  return {
    title: choice.title?.trim() || titleOf(parcels),
    subtitle: subtitleOf([...rows.values()], parcels),
    parcels,
    photos,
    parts: shareParts.map((part) => preview(part, [...rows.values()], photos)),
    sources: [...rows.values()].map(sourceOf),
    notes: retired === 0 ? [] : [`${counted(retired, 'retired parcel is', 'retired parcels are')} left out.`],
  };
}

function valuesOf(engine: ShareHome, ids: readonly number[]): ReadonlyMap<number, ShareValues> {
  const fields = findFields(engine.land, ids, columns);
  const work = exportWorkColumns(engine, { ids, leavesOutUnsafePhones: true });
  const own = work?.valuesOf(ids);
  return new Map(
    ids.map((id) => {
      const values = own?.get(id) ?? [];
      const named = (work?.columns ?? []).map(({ name }, at) => [name, values[at] ?? null]);
      return [id, { ...fields.get(id), ...Object.fromEntries(named) }];
    }),
  );
}

/** Never the name of a list: it is the user's own. */
const titleOf = (parcels: readonly SharedParcel[]): string =>
  parcels.length === 1 ? (parcels[0]?.apn as string) : `${parcels.length} parcels`;

function subtitleOf(rows: readonly ShareValues[], parcels: readonly SharedParcel[]): string {
  const counties = [...new Set(rows.map(({ county_name: name, fips }) => String(name ?? fips)))];
  const known = parcels.flatMap(({ acres }) => (acres === null ? [] : [acres]));
  const sum = known.reduce((total, acres) => total + acres, 0);
  const acres = sum.toLocaleString('en-US', { maximumFractionDigits: 2 });
  const words = known.length === 0 ? 'acres unknown' : `${acres} acres`;
  const unknown = parcels.length - known.length;
  const rest = known.length > 0 && unknown > 0 ? ` and ${unknown} of unknown acres` : '';
  return [`${words}${rest}`, counties.slice(0, 4).join(', ')].join(' · ');
}

/** A county's file is named by its publisher; where it was named by its path, the path stays here. */
const sourceOf = ({ source_name: name, source_date: date }: ShareValues): LayerSource => ({
  title: 'Parcels',
  ...{ name: withoutPath(String(name ?? 'unknown source')), date: String(date ?? 'date unknown') },
});

export const withoutPath = (name: string): string =>
  /^(?:[A-Za-z]:)?[\\/]|^~|^file:/.test(name) ? name.replace(/^.*[\\/]/, '') : name;

function preview(
  part: SharePart & { name: PartName },
  rows: readonly ShareValues[],
  photos: readonly Photo[],
): PartPreview {
  const { name, label, docs } = part;
  const texts =
    name === 'photo_places'
      ? photos.flatMap(({ latitude, longitude }) =>
          latitude === null || longitude === null ? [] : [`${latitude.toFixed(5)}, ${longitude.toFixed(5)}`],
        )
      : rows.flatMap((values) => part.rows.map(({ text }) => text(values)).find((text) => text !== null) ?? []);
  return { name, label, docs, count: texts.length, example: texts[0]?.replace(/\s+/g, ' ').slice(0, 80) ?? null };
}
