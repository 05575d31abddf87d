/** What the map can show. */
import Type from 'typebox';
import { layerLooks } from '../spec/layer-titles.ts';
import { boxSchema, noInput, oneOf, orNull, strict } from '../spec/value-schemas.ts';
import { mapSources as sourcesOf } from '../tiles/map-sources.ts';
import { defineRead } from './read.ts';

const text = Type.String();

const source = {
  source: text,
  type: oneOf(['vector', 'raster']),
  minzoom: Type.Integer(),
  maxzoom: Type.Integer(),
  bounds: orNull(boxSchema),
  generation: text,
  attribution: text,
  layers: Type.Array(text),
};

export const mapSources = defineRead({
  name: 'map_sources',
  docs: 'The tile sources, each with type, zooms, bounds (west, south, east, north), generation (changes with the tiles) and attribution; the counties that have shapes; refused base maps with the reason.',
  input: noInput,
  output: Type.Object(
    {
      parcels: Type.Object(source),
      comps: Type.Object(source),
      outlines: Type.Object(source),
      counties: Type.Array(Type.Object({ fips: text, parcels: Type.Integer({ minimum: 1 }), bounds: boxSchema })),
      layers: Type.Array(
        Type.Object({
          ...source,
          kind: text,
          fips: text,
          title: text,
          look: orNull(oneOf(layerLooks)),
          color: orNull(text),
          geometry: oneOf(['polygons', 'lines', 'points']),
          classes: Type.Array(Type.Object({ class: orNull(text), features: Type.Integer({ minimum: 1 }) })),
        }),
      ),
      terrain: orNull(
        Type.Object({
          contours: Type.Object({ ...source, intervals: Type.Array(Type.Number({ exclusiveMinimum: 0 })) }),
          relief: Type.Object(source),
          heights: Type.Object(source),
        }),
      ),
      bases: Type.Array(
        Type.Object({
          ...source,
          title: text,
          tile_size: Type.Union([Type.Literal(256), Type.Literal(512)]),
          photo: orNull(
            Type.Object({
              id: Type.Integer({ minimum: 1 }),
              flown: orNull(text),
              credit: text,
              files: Type.Integer({ minimum: 1 }),
              state: Type.Number({ minimum: 0, maximum: 1 }),
              missing: Type.Array(text),
            }),
          ),
        }),
      ),
      refused: Type.Array(Type.Object({ name: text, why: text })),
    },
    strict,
  ),
  run: (_input, { home, land }) => sourcesOf(home, land),
});
