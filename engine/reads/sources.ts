/** The readiness of a county: what is loaded, what is missing, what each file unlocks, and where it is. */
import Type from 'typebox';
import { layerKinds } from '../enrichment/layer-kinds.ts';
import { listWaiting } from '../enrichment/waiting.ts';
import { listSources } from '../importing/sources.ts';
import { countyFacts } from '../query/county-facts.ts';
import { count, normalFips, orNull, strict } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const text = Type.String();

const source = Type.Object(
  {
    kind: text,
    title: text,
    docs: text,
    isLoaded: Type.Boolean(),
    loaded: Type.Array(text),
    waiting: orNull(text),
    unlocks: Type.Array(Type.Object({ name: text, label: text })),
    published: Type.Array(Type.Object({ column: text, parcels: count() })),
    files: Type.Array(Type.Object({ name: text, url: text, publisher: text, docs: text })),
    command: text,
  },
  strict,
);

export const sources = defineRead({
  name: 'sources',
  docs: 'For a county: parcels, sales, layers and base map, loaded or missing, the filters that each unlocks, and names and addresses of the public files. Platbook downloads nothing.',
  input: Type.Object(
    { fips: Type.String({ pattern: '^[0-9]{4,5}$', 'x-expected': 'a county FIPS code of 4 or 5 digits' }) },
    strict,
  ),
  output: Type.Object(
    {
      fips: text,
      county_name: text,
      state: text,
      parcels: count(),
      sources: Type.Array(source),
      notes: Type.Array(text),
    },
    strict,
  ),
  run: ({ fips }, { land, home }) =>
    listSources({
      land,
      home,
      fips,
      layers: layerKinds,
      factsOf: countyFacts,
      waiting: listWaiting(land, normalFips(fips)),
    }),
});
