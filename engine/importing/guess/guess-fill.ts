/** Prefers columns that are filled, and reads two columns in order where one fills the gaps of the other. */
import type { Candidate, Chosen, WeighedSource } from './guess-candidates.ts';
import { columnExpression } from './guess-expression.ts';
import { factsOf } from './guess-facts.ts';
import { percentWords } from './list-proposal.ts';

const shareOf = ({ facts: { filled, rows } }: WeighedSource): number => filled / Math.max(rows, 1);

/** A column with less than half of the values of another of the same meaning loses against it. */
const muchLess = 0.5;
const leastGap = 0.2;
const emptierFactor = 0.6;
/** A confidence from which a candidate counts. */
const likely = 0.6;

/** The same candidates, with less confidence in those that are mostly empty beside a filled one. */
export function preferFilled(candidates: readonly Candidate[]): Candidate[] {
  const fullest = new Map<string, Candidate>();
  for (const one of candidates) {
    // The same on every row may be a name of the file.
    if (one.confidence < likely || one.source.facts.distinct < 2) continue;
    const before = fullest.get(one.target);
    if (!before || shareOf(one.source) > shareOf(before.source)) fullest.set(one.target, one);
  }
  return candidates.map((one) => {
    const best = fullest.get(one.target);
    if (!best) return one;
    const [share, most] = [shareOf(one.source), shareOf(best.source)];
    if (share >= muchLess * most || most - share < leastGap) return one;
    const reason = `filled on ${percentWords(share)} of rows, ${best.source.label} on ${percentWords(most)}`;
    return { ...one, confidence: one.confidence * emptierFactor, reasons: [...one.reasons, reason] };
  });
}

/**
 * Texts that say the same of a parcel in whichever column they stand. Not amounts, which may be of several years, and
 * not parts of an address, which two columns may mix.
 */
const fillable: ReadonlySet<string> = new Set(['owner_name', 'situs_address', 'subdivision', 'legal_description']);
export const leastFilledRows = 0.05;

/** @param filled names of columns, in order, and the share of rows that each fills */
export const inOrderWords = (filled: readonly (readonly [name: string, share: number])[]): string =>
  `${filled.map(([name, share], at) => `${name} ${at === 0 ? 'is filled on' : 'on'} ${percentWords(share)}${at === 0 ? ' of rows' : ''}`).join(', ')}: the first that is filled counts`;

/**
 * The choice, read in order with an unused column of the same meaning that fills at least one row in twenty.
 * The better name comes first.
 * @param candidates before `preferFilled`
 */
export function withFallback(chosen: Chosen, candidates: readonly Candidate[], used: ReadonlySet<string>): Chosen {
  const { candidate } = chosen;
  const { target, source } = candidate;
  if (!fillable.has(target)) return chosen;
  const named = (one: WeighedSource) => candidates.find((other) => other.target === target && other.source === one);
  const [other] = candidates
    .filter((one) => one.target === target && one.source !== source && one.confidence >= likely)
    .filter((one) => one.source.columns.every((name) => !used.has(name)))
    .sort((a, b) => b.confidence - a.confidence);
  if (!other) return chosen;
  const isFirst = candidate.score >= other.score;
  const [first, second] = isFirst ? [source, other.source] : [other.source, source];
  const gain = second.values.filter((value, row) => value !== null && (first.values[row] ?? null) === null).length;
  if (gain < leastFilledRows * second.values.length) return chosen;
  const values = first.values.map((value, row) => value ?? second.values[row] ?? null);
  const both: WeighedSource = {
    ...first,
    label: `${first.label} or ${second.label}`,
    expression: { from: [first, second].map((one) => columnExpression(target, one, null)) },
    columns: [...first.columns, ...second.columns],
    values,
    facts: { ...factsOf(values), placeholders: [] },
  };
  const reason = inOrderWords([first, second].map((one) => [one.label, shareOf(one)]));
  const reasons = [...(named(first)?.reasons ?? []), reason];
  return { ...chosen, candidate: { ...candidate, source: both, reasons }, reasons };
}
