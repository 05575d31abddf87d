/**
 * Cross-checks columns: land and improvements add up to the total; two columns with the same numbers cannot both be
 * named right.
 */
import { parseNumber } from '../values/convert-value.ts';
import type { Chosen } from './guess-candidates.ts';
import { percentWords } from './list-proposal.ts';

const bases = ['assessed', 'market'] as const;
const parts = ['total_value', 'land_value', 'improvement_value'] as const;
const leastRows = 10;
const addedFor = 0.04;
const sameFactor = 0.7;

const numbersOf = ({ candidate }: Chosen): number[] =>
  candidate.source.values.map((value) => (value === null ? Number.NaN : parseNumber(value)));

/** The same choices, with confidence adjusted by the others. */
export function agreeingValues(chosen: readonly Chosen[], rows: number): Chosen[] {
  const changed = new Map(chosen.map((one) => [one.candidate.target, one]));
  for (const basis of bases) {
    const found = parts.map((part) => changed.get(`${basis}_${part}`));
    const share = shareThatAdds(found, rows);
    if (share === null) continue;
    for (const one of found) {
      if (!one) continue;
      const reason = `land and improvements make the total on ${percentWords(share)} of rows`;
      changed.set(one.candidate.target, {
        ...one,
        confidence: share >= 0.9 ? Math.min(0.99, one.confidence + addedFor) : one.confidence * 0.95,
        reasons: [...one.reasons, reason],
      });
    }
  }
  for (const part of parts) repeat(changed, part);
  return [...changed.values()];
}

/** Share of rows on which the parts add up; null if there are too few to tell. */
function shareThatAdds([total, land, improvement]: readonly (Chosen | undefined)[], rows: number): number | null {
  if (!total || !land || !improvement) return null;
  const [totals, lands, improvements] = [numbersOf(total), numbersOf(land), numbersOf(improvement)];
  let known = 0;
  let adds = 0;
  for (let row = 0; row < rows; row++) {
    const [whole, ground, built] = [
      totals[row] ?? Number.NaN,
      lands[row] ?? Number.NaN,
      improvements[row] ?? Number.NaN,
    ];
    if (!(whole > 0) || Number.isNaN(ground + built)) continue;
    known++;
    if (Math.abs(ground + built - whole) <= 1 + 0.001 * whole) adds++;
  }
  return known < leastRows ? null : adds / known;
}

function repeat(changed: Map<string, Chosen>, part: (typeof parts)[number]): void {
  const [assessed, market] = bases.map((basis) => changed.get(`${basis}_${part}`));
  if (!assessed || !market || assessed.candidate.source.facts.distinct < 2) return;
  const [one, other] = [numbersOf(assessed), numbersOf(market)];
  if (!one.every((number, row) => Object.is(number, other[row] ?? Number.NaN))) return;
  for (const [chosen, twin] of [
    [assessed, market],
    [market, assessed],
  ] as const) {
    const reason = `the same as ${twin.candidate.source.label} on every row: either could be it`;
    changed.set(chosen.candidate.target, {
      ...chosen,
      confidence: chosen.confidence * sameFactor,
      reasons: [...chosen.reasons, reason],
    });
  }
}
