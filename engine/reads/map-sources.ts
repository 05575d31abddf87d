/** What the map can show. */
import Type from 'typebox';
import { type MapSources, mapSources as sourcesOf } from '../tiles/map-sources.ts';
import { defineRead } from './read.ts';

const text = Type.String();
const bounds = Type.Array(Type.Number(), { minItems: 4, maxItems: 4 });

const source = {
  source: text,
  type: Type.Union([Type.Literal('vector'), Type.Literal('raster')]),
  minzoom: Type.Integer(),
  maxzoom: Type.Integer(),
  bounds: Type.Union([bounds, Type.Null()]),
  generation: text,
  attribution: text,
  layers: Type.Array(text),
};

export const mapSources = defineRead<Record<string, never>, MapSources>({
  name: 'map_sources',
  docs: 'The tile sources, each with type, zooms, bounds (west, south, east, north), generation (tiles have changed when it has) and attribution; the counties that have shapes; base maps that were refused, and why.',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object(
    {
      parcels: Type.Object(source),
      comps: Type.Object(source),
      outlines: Type.Object(source),
      counties: Type.Array(Type.Object({ fips: text, parcels: Type.Integer({ minimum: 1 }), bounds })),
      layers: Type.Array(
        Type.Object({
          ...source,
          kind: text,
          fips: text,
          title: text,
          geometry: Type.Union([Type.Literal('polygons'), Type.Literal('lines')]),
          classes: Type.Array(
            Type.Object({ class: Type.Union([text, Type.Null()]), features: Type.Integer({ minimum: 1 }) }),
          ),
        }),
      ),
      bases: Type.Array(Type.Object({ ...source, title: text })),
      refused: Type.Array(Type.Object({ name: text, why: text })),
    },
    { additionalProperties: false },
  ),
  run: (_input, { home, land }) => sourcesOf(home, land),
});
