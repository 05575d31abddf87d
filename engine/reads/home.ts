/** What the frame shows: the home, its counties and datasets, the plan, what things cost. */
import Type from 'typebox';
import { getUsage, type UsageTotals } from '../operations/get-usage.ts';
import { operations } from '../operations/index.ts';
import { packageVersion } from '../package-root.ts';
import { countCurrent } from '../query/county-facts.ts';
import type { HomeKind, LandStore } from '../store/land-store.ts';
import { defineRead, type ReadContext } from './read.ts';

export interface HomeCounty {
  readonly fips: string;
  readonly name: string;
  readonly state: string;
  readonly parcels: number;
}

export interface HomeDataset {
  readonly dataset_id: number;
  readonly fips: string;
  readonly jurisdiction: string;
  readonly source_name: string;
  /** ISO date. */
  readonly source_date: string;
  readonly imported_at: string;
}

export interface Price {
  readonly operation: string;
  /** In words, as docs say it. */
  readonly words: string;
  /** The most that the operation's first example costs. */
  readonly tokens: number;
}

export interface HomeSummary {
  /** Where it stands on this computer: what tells it from another home. */
  readonly folder: string;
  /** Null while the home is empty. */
  readonly kind: HomeKind | null;
  readonly counties: HomeCounty[];
  readonly datasets: HomeDataset[];
  readonly usage: UsageTotals;
  readonly prices: Price[];
  readonly versions: { readonly platbook: string; readonly node: string; readonly sqlite: string };
}

/** From code to code of an index: a county of a million parcels is one step. */
const countiesSql = `
WITH RECURSIVE loaded (fips) AS (
  SELECT min(fips) FROM parcels
  UNION ALL SELECT (SELECT min(fips) FROM parcels WHERE fips > loaded.fips) FROM loaded WHERE loaded.fips IS NOT NULL)
SELECT fips, coalesce(c.name, fips) AS name, coalesce(c.state, '') AS state
FROM loaded LEFT JOIN counties c USING (fips) WHERE fips IS NOT NULL`;

/** The largest first. */
const countiesOf = (land: LandStore): HomeCounty[] =>
  land.file
    .all<Omit<HomeCounty, 'parcels'>>(countiesSql)
    .map((county) => ({ ...county, parcels: countCurrent(land, county.fips) }))
    .filter(({ parcels }) => parcels > 0)
    .sort((a, b) => b.parcels - a.parcels || (a.fips < b.fips ? -1 : 1));

const datasetsSql = `
SELECT dataset_id, fips, jurisdiction, source_name, source_date, imported_at FROM datasets
ORDER BY fips, jurisdiction`;

const prices: readonly Price[] = operations
  .filter(({ meteringKey }) => meteringKey !== null)
  .map(({ name, priceDocs, quote, examples }) => ({
    operation: name,
    words: priceDocs,
    tokens: quote((examples[0]?.input ?? {}) as never),
  }));

const text = Type.String();

export const home = defineRead<Record<string, never>, HomeSummary>({
  name: 'home',
  docs: 'The home: its folder, sample or real, its counties with parcel counts, datasets with their dates, tokens used and included, prices, versions.',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object(
    {
      folder: text,
      kind: Type.Union([Type.Literal('sample'), Type.Literal('real'), Type.Null()]),
      counties: Type.Array(Type.Object({ fips: text, name: text, state: text, parcels: Type.Integer() })),
      datasets: Type.Array(
        Type.Object({
          dataset_id: Type.Integer(),
          fips: text,
          jurisdiction: text,
          source_name: text,
          source_date: text,
          imported_at: text,
        }),
      ),
      usage: getUsage.output,
      prices: Type.Array(Type.Object({ operation: text, words: text, tokens: Type.Integer() })),
      versions: Type.Object({ platbook: text, node: text, sqlite: text }),
    },
    { additionalProperties: false },
  ),
  run: (_input, context) => ({
    folder: context.home,
    kind: context.land.kind,
    counties: countiesOf(context.land),
    datasets: context.land.file.all<HomeDataset>(datasetsSql),
    usage: usageOf(context),
    prices: [...prices],
    versions: {
      platbook: packageVersion,
      node: process.versions.node,
      sqlite: context.land.file.get<{ v: string }>('SELECT sqlite_version() AS v')?.v ?? '',
    },
  }),
});

/** The free operation itself, so that the status bar and GET usage/ cannot differ. */
const usageOf = (context: ReadContext): UsageTotals => getUsage.run({}, { ...storesOf(context), pageLink: () => '' });

const storesOf = ({ land, account, people, now }: ReadContext) => ({ land, account, people, now });
