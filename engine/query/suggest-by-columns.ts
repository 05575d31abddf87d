/** Ids for the search box, found by the column index; null where SQL has to answer. */
import type { CountyColumns } from '../columns/county-columns.ts';
import { withAllMatches } from '../columns/evaluate.ts';
import { pageByColumn } from '../columns/pages.ts';
import { apnKey } from '../spec/text-fold.ts';
import type { LandStore } from '../store/land-store.ts';
import { countiesFor, parcelTests } from './find-parcels.ts';
import { tokensStep } from './parcel-questions.ts';
import { textOrders } from './text-orders.ts';

/** Parcels whose text holds every word, ordered by that text. */
export function idsWithTokens(
  land: LandStore,
  column: string,
  text: string,
  counties: readonly string[] | null,
  limit: number,
): number[] | null {
  const steps = [tokensStep(column, text)];
  const opened = countiesFor(land, { counties, steps });
  if (!opened) return null;
  return withAllMatches(opened, steps, parcelTests(land), (matches) =>
    pageByColumn(matches, { offset: 0, size: limit }, { column, descending: false }, textOrders(land)),
  );
}

interface Candidate {
  readonly id: number;
  /** 0: equals the key, 1: begins with it, 2: contains it. */
  readonly rank: number;
  readonly length: number;
}

const compareCandidates = (a: Candidate, b: Candidate): number => a.rank - b.rank || a.length - b.length || a.id - b.id;

/**
 * Parcels whose APN, in letters and digits, contains the key: equal ones first, then those that begin with it, the
 * shortest first.
 */
export function idsWithApnPart(
  land: LandStore,
  text: string,
  counties: readonly string[] | null,
  limit: number,
): number[] | null {
  const opened = countiesFor(land, { counties, steps: [] });
  if (!opened?.every((county) => county.has('apn_key'))) return null;
  const key = apnKey(text);
  return opened
    .flatMap((county) => candidatesOf(land, county, key).sort(compareCandidates).slice(0, limit))
    .sort(compareCandidates)
    .slice(0, limit)
    .map(({ id }) => id);
}

function candidatesOf(land: LandStore, county: CountyColumns, key: string): Candidate[] {
  const keys = county.packed('apn_key');
  const bytes = Buffer.from(key);
  return keys.findHolding(key).map((row) => {
    if ((row & 0xfff) === 0) land.tick();
    const length = keys.byteLengthOf(row);
    const begins = keys.startsWith(row, bytes);
    return { id: county.id(row), rank: begins ? Number(length > bytes.length) : 2, length };
  });
}
