/** The data of the frame: the home, its counties and datasets, the plan, prices. */
import Type from 'typebox';
import { firstSearch } from '../account/first-search.ts';
import { dataGeneration } from '../feeds/data-generation.ts';
import { getUsage, type UsageTotals } from '../operations/get-usage.ts';
import { operations } from '../operations/index.ts';
import { runAtHome } from '../operations/operation.ts';
import { packageChecksum, packageVersion } from '../package-root.ts';
import { countCurrent } from '../query/county-facts.ts';
import { noInput, oneOf, orNull, strict, type ValueOf } from '../spec/value-schemas.ts';
import type { LandStore } from '../store/land-store.ts';
import { defineRead, type ReadContext } from './read.ts';

const text = Type.String();
const county = Type.Object({ fips: text, name: text, state: text, parcels: Type.Integer() });
const dataset = Type.Object({
  dataset_id: Type.Integer(),
  fips: text,
  jurisdiction: text,
  source_name: text,
  source_date: text,
  imported_at: text,
});
const price = Type.Object({
  operation: text,
  words: text,
  tokens: Type.Integer({ description: 'The maximum price of the operation’s first example.' }),
});
type HomeCounty = ValueOf<typeof county>;

/** Jumps from code to code in an index: a county of a million parcels is one step. */
const countiesSql = `
WITH RECURSIVE loaded (fips) AS (
  SELECT min(fips) FROM parcels
  UNION ALL SELECT (SELECT min(fips) FROM parcels WHERE fips > loaded.fips) FROM loaded WHERE loaded.fips IS NOT NULL)
SELECT fips, coalesce(c.name, fips) AS name, coalesce(c.state, '') AS state
FROM loaded LEFT JOIN counties c USING (fips) WHERE fips IS NOT NULL`;

/** Largest first. */
const countiesOf = (land: LandStore): HomeCounty[] =>
  land.file
    .all<Omit<HomeCounty, 'parcels'>>(countiesSql)
    .map((row) => ({ ...row, parcels: countCurrent(land, row.fips) }))
    .filter(({ parcels }) => parcels > 0)
    .sort((a, b) => b.parcels - a.parcels || (a.fips < b.fips ? -1 : 1));

const datasetsSql = `
SELECT dataset_id, fips, jurisdiction, source_name, source_date, imported_at FROM datasets
ORDER BY fips, jurisdiction`;

const prices: readonly ValueOf<typeof price>[] = operations
  .filter(({ meteringKey }) => meteringKey !== null)
  .map(({ name, priceDocs, quote, examples }) => ({
    operation: name,
    words: priceDocs,
    tokens: quote((examples[0]?.input ?? {}) as never),
  }));

export const home = defineRead({
  name: 'home',
  docs: 'The home: its folder, sample or real, its counties with parcel counts, datasets with their dates, tokens used and included, prices, versions.',
  input: noInput,
  output: Type.Object(
    {
      folder: Type.String({ description: 'The home’s path on this computer, which identifies it.' }),
      kind: orNull(oneOf(['sample', 'real']), { description: 'Null while the home is empty.' }),
      counties: Type.Array(county),
      datasets: Type.Array(dataset),
      generation: Type.String({
        description:
          'The state of the land data: another one after every import, undo, enrichment or edit, by any program.',
      }),
      usage: getUsage.output,
      first_search: orNull(Type.Object({ at: text, tokens: Type.Integer() }, strict), {
        description:
          'When the first search of the sample was paid for (`engine/spec/sample-search.ts`); null: it was not.',
      }),
      prices: Type.Array(price),
      versions: Type.Object({ platbook: text, checksum: Type.Optional(text), node: text, sqlite: text }),
    },
    strict,
  ),
  run: (_input, context) => ({
    folder: context.home,
    kind: context.land.kind,
    counties: countiesOf(context.land),
    datasets: context.land.file.all<ValueOf<typeof dataset>>(datasetsSql),
    generation: dataGeneration(context.land),
    usage: usageOf(context),
    first_search: context.land.kind === 'sample' ? firstSearch(context.account) : null,
    prices,
    versions: {
      platbook: packageVersion,
      ...(packageChecksum && { checksum: packageChecksum }),
      node: process.versions.node,
      sqlite: context.land.file.get<{ v: string }>('SELECT sqlite_version() AS v')?.v ?? '',
    },
  }),
});

/** Calls the free operation itself, so that the status bar and GET usage/ cannot differ. */
const usageOf = (context: ReadContext): UsageTotals => runAtHome(getUsage, {}, context);
