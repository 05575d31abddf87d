/** Settings of each layer; their defaults are the definitions of docs/importing.md, "Enrichment". */
import Type, { type TObject, type TSchema } from 'typebox';
import { EngineError } from '../spec/errors.ts';
import { colorPattern, type LayerAppearance, layerNumbers } from '../spec/layer-settings.ts';
import { layerLooks } from '../spec/layer-titles.ts';
import { roadParcelWords } from '../spec/road-parcels.ts';
import { roadClasses } from '../spec/road-words.ts';
import { findProblems, nearNames } from '../spec/validate.ts';
import { textSchema } from '../spec/value-schemas.ts';
import { type ElevationUnit, elevationUnits } from './elevation-units.ts';
import type { RoadClassMapping } from './road-classes.ts';

export interface EnrichmentSettings extends LayerAppearance {
  /** Largest distance of a boundary to a centreline that gives frontage, in international feet; for water, of a boundary to a shore. */
  readonly reachFeet: number;
  /** Largest gap between boundaries of neighbors that count as shared, in feet. */
  readonly sharedWithinFeet: number;
  /** Least shared length of boundary, in feet: near a common corner some feet are always within the tolerance. */
  readonly sharedLengthFeet: number;
  /** Words of a land use that mean a road; whole words or phrases, case-insensitive. */
  readonly roadParcelWords: readonly string[];
  /** Classes of road features; null: by MTFCC or highway, whichever the file has. */
  readonly roads: RoadClassMapping | null;
  /** Smallest footprint that counts as a structure, in square feet. */
  readonly minStructureSquareFeet: number;
  /** The column with the flood zone, the name of the school district or the ZIP; null: the usual names are tried. */
  readonly valueColumn: string | null;
  /** Unit of the raster's heights; null: the file's unit, else meters. */
  readonly elevationUnit: ElevationUnit | null;
  /** Coordinate system of the raster if the file names none: `EPSG:26912`. */
  readonly rasterSystem: string | null;
  /** Least share of a parcel's cells with a height, 0 to 1. */
  readonly minDataShare: number;
}

export const defaultSettings: EnrichmentSettings = {
  ...layerNumbers,
  roadParcelWords,
  roads: null,
  valueColumn: null,
  elevationUnit: null,
  rasterSystem: null,
  look: null,
  nameField: null,
  color: null,
};

const expects = (words: string) => ({ 'x-expected': words });

const feet = Type.Number({ ...expects('a number of 0 or more'), minimum: 0 });
const orNull = (schema: TSchema, words: string) => Type.Union([schema, Type.Null()], expects(`${words}, or null`));
const oneOfOrNull = (choices: readonly string[]) =>
  Type.Union(
    [...choices.map((choice) => Type.Literal(choice)), Type.Null()],
    expects(`one of ${choices.join(', ')}, or null`),
  );

const classesExample = '{"Local": "local_road"}';
const roadClass = oneOfOrNull(roadClasses);
const roadsSchema = Type.Object({
  column: textSchema(),
  classes: Type.Record(Type.String(), roadClass, expects(`an object like ${classesExample}`)),
  other: Type.Optional(roadClass),
} satisfies Record<keyof RoadClassMapping, TSchema>);

const settingSchemas: Record<keyof EnrichmentSettings, TSchema> = {
  reachFeet: feet,
  sharedWithinFeet: feet,
  sharedLengthFeet: feet,
  roadParcelWords: Type.Array(textSchema(), expects('a list of texts')),
  // Its content has its own schema, so that the refusal names the wrong part.
  roads: orNull(
    Type.Record(Type.String(), Type.Unknown()),
    `an object like {"column": "CLASS", "classes": ${classesExample}}`,
  ),
  minStructureSquareFeet: feet,
  valueColumn: orNull(textSchema(), 'a text, the name of a column'),
  elevationUnit: oneOfOrNull(elevationUnits),
  // May also be WKT of several lines.
  rasterSystem: orNull(Type.String({ pattern: '\\S' }), 'a text like "EPSG:26912"'),
  look: oneOfOrNull(layerLooks),
  nameField: orNull(textSchema(), 'a text, the name of a column'),
  color: orNull(Type.String({ pattern: colorPattern }), 'a color like "#8a5a2b"'),
  minDataShare: Type.Number({ ...expects('a number from 0 to 1'), minimum: 0, maximum: 1 }),
};
const settingsSchema = Type.Partial(Type.Object(settingSchemas));

/**
 * Refuses unknown settings: a misspelt setting would silently keep its default, and a misspelt road class would make every
 * parcel landlocked.
 * @throws EngineError import_refused
 */
export function expectSettings(settings: Readonly<Record<string, unknown>>): void {
  expectFields(settingsSchema, settings, '');
  if (settings.roads) expectFields(roadsSchema, settings.roads, 'roads');
}

function expectFields(schema: TObject, given: object, of: string): void {
  const names = Object.keys(schema.properties);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const near = nearNames(unknown, names);
    const hint = near.length > 0 ? `; perhaps ${near.join(' or ')} is meant` : '';
    throw refusal(`expected ${names.join(', ')}${of && ` in ${of}`}, found ${JSON.stringify(unknown)}${hint}`);
  }
  const [first] = Object.entries(findProblems(schema, given) ?? {});
  if (first) throw refusal(`${of && `${of}.`}${first[0]}: ${first[1].join('; ')}`);
}

const refusal = (problem: string) =>
  new EngineError('import_refused', `The settings of the layer: ${problem}${problem.endsWith('?') ? '' : '.'}`);
