/** The map sheet of a view: what is asked for, checked, with its titles; every door comes through here. */

import Type from 'typebox';
import type { Bounds } from '../geo/geometry.ts';
import { magneticDeclination } from '../geo/magnetic-declination.ts';
import { EngineError, validationError } from '../spec/errors.ts';
import { paperField } from '../spec/paper-field.ts';
import { mapBox, nearestScale, pageSize } from '../spec/sheet-paper.ts';
import { findProblems } from '../spec/validate.ts';
import { choiceSchema, listSchema, strict, type ValueOf, wholeNumberSchema } from '../spec/value-schemas.ts';
import type { LandStore } from '../store/land-store.ts';
import { chooseLayers } from './choose-layers.ts';
import type { LotText } from './draw-map.ts';
import { type GroundFrame, groundFrame } from './ground-frame.ts';
import { fillColumns } from './lot-fill.ts';
import { type MapSheet, makeMapSheet } from './map-sheet.ts';
import { type PhotoContext, sheetPhoto } from './sheet-photo.ts';

const lotTexts = ['apn', 'acres', 'owner'] as const satisfies readonly LotText[];
const texts = (choices: string, description: string) => ({
  ...{ 'x-option': '<names>', 'x-expected': `a list of ${choices}` },
  description,
});

const idsSchema = listSchema(wholeNumberSchema(0, Number.MAX_SAFE_INTEGER));

/** What a view asks for; fields with an `x-option` are options of `platbook sheet`. */
export const viewSheetFields = {
  longitude: Type.Number({ minimum: -180, maximum: 180, 'x-expected': 'a longitude' }),
  latitude: Type.Number({ minimum: -80, maximum: 80, 'x-expected': 'a latitude from -80 to 80' }),
  zoom: Type.Optional(
    Type.Number({
      ...{ minimum: 0, maximum: 24, 'x-expected': 'a zoom from 0 to 24' },
      description: 'Zoom of the map on the screen: without `scale`, the sheet takes the offered scale nearest to it.',
    }),
  ),
  scale: Type.Optional(
    wholeNumberSchema(100, 250_000, { description: '6000 for 1:6,000; absent: by the zoom, else 1:6,000.' }),
  ),
  paper: Type.Optional(paperField),
  landscape: Type.Optional(Type.Boolean({ 'x-option': '', description: 'turn the paper: wider than high' })),
  labels: Type.Optional(
    Type.Array(choiceSchema(lotTexts), {
      ...texts(
        lotTexts.join(', '),
        'lines of a lot’s label, of apn, acres, owner; owners only if named (default: apn,acres)',
      ),
      maxItems: 3,
    }),
  ),
  layers: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      ...texts(
        'names of layers',
        'relief, contours, kinds of layers like roads (default: relief, contours, roads, buildings)',
      ),
      maxItems: 200,
    }),
  ),
  photo: Type.Optional(
    Type.String({
      ...{ maxLength: 200, 'x-option': '<source>', 'x-expected': 'a source of pictures of `map_sources`' },
      description: 'photo under the lots, as `map_sources` names it, like base-county; lots are not filled then',
    }),
  ),
  title: Type.Optional(
    Type.String({ maxLength: 120, 'x-option': '<text>', description: 'heading; the parcel or the county without it' }),
  ),
  fill: Type.Optional(
    Type.Object(
      {
        title: Type.String({ maxLength: 60 }),
        column: choiceSchema(fillColumns),
        without: Type.String({ maxLength: 60, description: 'Words for lots without a value.' }),
        classes: Type.Array(
          Type.Object(
            {
              words: Type.String({ maxLength: 60 }),
              step: wholeNumberSchema(0, 4, { description: 'Step of the ramp, from light to dark.' }),
              from: Type.Optional(
                Type.Number({ description: 'Least number of the class; absent: all below the next.' }),
              ),
              value: Type.Optional(Type.String({ maxLength: 60, description: 'Text of the class.' })),
            },
            strict,
          ),
          { minItems: 1, maxItems: 8 },
        ),
      },
      { ...strict, description: 'How matches are filled, as the map’s legend has it; absent: in one color.' },
    ),
  ),
  selected: Type.Optional(idsSchema),
} as const;

/** A page holds fewer lots, but a box may meet more. */
const matchedSchema = Type.Array(wholeNumberSchema(0, Number.MAX_SAFE_INTEGER), {
  ...{ maxItems: 1_000_000, 'x-expected': 'a list of property_ids' },
});
const viewSheetInput = Type.Object({ ...viewSheetFields, matched: Type.Optional(matchedSchema) }, strict);
export type ViewSheetInput = ValueOf<typeof viewSheetInput>;

/** The engine's parts that a sheet reads. */
interface SheetContext extends PhotoContext {
  readonly now: () => Date;
}

export interface ViewSheet extends MapSheet {
  /** A name for its file, without ending. */
  readonly name: string;
  readonly scale: number;
}

const defaultScale = 6000;

const scaleOf = ({ scale, zoom, latitude }: ViewSheetInput): number =>
  scale ?? (zoom === undefined ? defaultScale : nearestScale(zoom, latitude));

const frameOf = (input: ViewSheetInput): GroundFrame =>
  groundFrame(mapBox(sizeOf(input)), [input.longitude, input.latitude], scaleOf(input));

/** What the page will show, in degrees. */
export const viewBounds = (input: ViewSheetInput): Bounds => frameOf(input).bounds;

const sizeOf = ({ paper = 'letter', landscape = false }: ViewSheetInput) => pageSize(paper, landscape);

/** @throws EngineError validation_error, also where no parcel lies on the page or too many do */
export async function makeViewSheet(context: SheetContext, input: ViewSheetInput): Promise<ViewSheet> {
  const { land, now } = context;
  const problems = findProblems(viewSheetInput, input);
  if (problems) throw validationError(problems);
  const { longitude, latitude, paper = 'letter', landscape = false, labels = ['apn', 'acres'] } = input;
  const scale = scaleOf(input);
  const { sources, ...layers } = chooseLayers(land, input.layers);
  const photo = input.photo === undefined ? null : await sheetPhoto(context, input.photo, frameOf(input));
  const heading = headingOf(land, input);
  const madeAt = now();
  const magnetic = await magneticDeclination(longitude, latitude, madeAt);
  const sheet = makeMapSheet(land, {
    ...{ ...layers, paper, scale },
    isLandscape: landscape,
    center: [longitude, latitude],
    matched: input.matched ? new Set(input.matched) : null,
    selected: new Set(input.selected),
    texts: labels,
    photo,
    fill: input.fill ?? null,
    ...heading,
    madeAt,
    magnetic,
    layerSources: sources,
  });
  if (sheet.drawn.lots === 0) {
    throw new EngineError(
      'validation_error',
      `Nothing to print: no parcel lies on this page, 1:${scale.toLocaleString('en-US')} around ${latitude.toFixed(5)}, ${longitude.toFixed(5)}.`,
    );
  }
  return { ...sheet, name: `map ${heading.title.split(' · ')[0]}`, scale };
}

interface HeadingRow {
  readonly apn: string | null;
  readonly acres: number | null;
  readonly owner_name: string | null;
  readonly address: string | null;
  readonly city: string | null;
  readonly county: string | null;
}

const headingSql = `SELECT p.apn, coalesce(p.acres, p.calculated_acres) AS acres, p.owner_name, p.situs_address AS address,
  p.situs_city AS city, c.name || ', ' || c.state AS county
FROM parcels p LEFT JOIN counties c USING (fips)`;

/** The one selected parcel, else the county in the middle of the page. */
function headingOf({ file }: LandStore, input: ViewSheetInput): { readonly title: string; readonly subtitle: string } {
  const { longitude, latitude, selected = [], labels = [] } = input;
  const one =
    selected.length === 1
      ? file.get<HeadingRow>(`${headingSql} WHERE p.property_id = ?`, selected[0] as number)
      : undefined;
  const parcel = one && [
    [one.apn || 'Parcel without APN', one.acres === null ? '' : `${one.acres.toLocaleString('en-US')} acres`],
    [labels.includes('owner') ? one.owner_name : '', [one.address, one.city].filter(Boolean).join(', '), one.county],
  ];
  const { minX, maxX, minY, maxY } = viewBounds(input);
  const there = parcel
    ? undefined
    : file.get<HeadingRow>(
        `${headingSql} JOIN idx_parcels_geom i ON i.pkid = p.property_id
         WHERE i.xmin <= ? AND i.xmax >= ? AND i.ymin <= ? AND i.ymax >= ? LIMIT 1`,
        ...[maxX, minX, maxY, minY],
      );
  const place = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  const [title = [], subtitle = []] = parcel ?? [[there?.county ?? 'Map'], [`Around ${place}`]];
  const joined = (parts: readonly (string | null)[]) => parts.filter(Boolean).join(' · ');
  return { title: input.title?.trim() || joined(title), subtitle: joined(subtitle) };
}
