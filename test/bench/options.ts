/** The command line of the bench. */
import { parseArgs } from 'node:util';
import { questionKinds } from './questions.ts';

export interface BenchOptions {
  readonly parcels: number;
  /** Over eighteen counties, for Q9. */
  readonly manyParcels: number;
  readonly variants: number;
  readonly coldRounds: number;
  /** Whether all is generated, imported and loaded first, side by side as far as it is not compared. */
  readonly isQuick: boolean;
  /** Ids of queries, and the other measurements. */
  readonly parts: ReadonlySet<string>;
  readonly without: ReadonlySet<string>;
  readonly keep: string | null;
  readonly json: string | null;
}

export const usage = `npm run bench -- [options]
  --quick          100,000 parcels, a quarter as many for Q9; 20 variants; the other engines load side by side
  --parcels N      parcels of the county (default 1,000,000); Q9 has two and a half times as many
  --only Q4,cold   these alone: Q1 to Q9, import (ogr2ogr), cold (first queries), figures (detail, comps, values),
                   window (scrolling, selecting and every screen in Chromium; not with --quick)
  --without NAMES  leaves out engines: duckdb, postgis, spatialite
  --variants N     variants of each question (default 50, which is also the least without --quick)
  --keep DIR       keeps generated data and loaded databases there, and uses what it finds
  --json FILE      writes every figure there as well`;

const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '');

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  throw new RangeError(`--${name}: expected a whole number of at least ${least}, found ${JSON.stringify(text)}.`);
}

const allParts = [...questionKinds.map(({ id }) => id), 'import', 'cold', 'figures', 'window'];

/** Q4 includes Q4a and Q4b. */
function partsOf(text: string | undefined, isQuick: boolean): ReadonlySet<string> {
  if (text === undefined) return new Set(allParts.filter((part) => !isQuick || part !== 'window'));
  const asked = listOf(text).map((name) => {
    const found = allParts.filter((part) =>
      [part, part.replace(/[ab]$/, '')].some((one) => one.toLowerCase() === name),
    );
    if (found.length > 0) return found;
    throw new RangeError(`--only: expected some of ${allParts.join(', ')}, found ${JSON.stringify(name)}.`);
  });
  if (asked.length === 0) throw new RangeError(`--only: expected some of ${allParts.join(', ')}, found nothing.`);
  return new Set(asked.flat());
}

export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      parcels: { type: 'string' },
      only: { type: 'string' },
      without: { type: 'string' },
      variants: { type: 'string' },
      keep: { type: 'string' },
      json: { type: 'string' },
    },
  });
  // Runs that check targets repeat more often than runs that look for slowdowns.
  const leastVariants = values.quick ? 20 : 50;
  const parcels = wholeNumber('parcels', values.parcels ?? (values.quick ? '100000' : '1000000'), 1000);
  return {
    parcels,
    manyParcels: Math.round(parcels * (values.quick ? 0.25 : 2.5)),
    variants: wholeNumber('variants', values.variants ?? String(leastVariants), leastVariants),
    isQuick: values.quick,
    coldRounds: parcels < 1_000_000 ? 1 : 3,
    parts: partsOf(values.only, values.quick),
    without: new Set(listOf(values.without)),
    keep: values.keep ?? null,
    json: values.json ?? null,
  };
}
