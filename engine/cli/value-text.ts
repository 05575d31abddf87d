/** A comp value and a county's backtest as text: the grid of an appraiser, with every number that the value rests on. */
import { type BacktestResult, backtestSentence } from '../comps/backtest.ts';
import { isoOfDay } from '../comps/comp-facts.ts';
import type { LeftOutComp, UsedComp } from '../comps/value-types.ts';
import {
  causeHead,
  confidenceName,
  decimal,
  dollars,
  dollarsWithin,
  errorSentence,
  errorShares,
  factorText,
  grossAdjustment,
  grossLimit,
  grossMarkWords,
  grossText,
  levelSentence,
  netAdjustment,
  offersSentence,
  opinionsSentence,
  poolingSentence,
  shownCauses,
  signedPercent,
  type TestDetail,
  testFigures,
  type ValueCause,
} from '../spec/value-terms.ts';
import { countyLines, warningSentence } from '../spec/value-warnings.ts';
import type { ExplainedValue } from '../value-explained.ts';
import { tableText } from './output.ts';

const isoDay = (day: number | null): string => (day === null ? 'unknown' : isoOfDay(day));
const nameOf = ({ address, apn, id }: UsedComp['comp']): string => address || apn || id.slice(0, 8);

export function explanationText(explained: ExplainedValue): string {
  const { explanation, tested, subject, opinions, offers } = explained;
  const { value, valueRange, used, leftOut, isLowConfidence, uncertainty, warnings } = explanation;
  const causes = shownCauses(used);
  const limit = grossLimit(explained.test);
  const steep = used.filter(({ factors }) => grossAdjustment(factors) > limit).length;
  const outliers = leftOut.examples.filter(({ reason }) => reason === 'outlier');
  return [
    ...warnings.map((warning) => warningSentence(warning, (km) => `${decimal(km)} km`)),
    `${valueWords(explanation)} (${dollarsWithin(value.mean_adjusted_ppa, valueRange)} an acre)`,
    ...forcedLines(explained),
    `Confidence ${value.confidence_score.toFixed(0)}, ${confidenceName(value.confidence_score, isLowConfidence)}; Gini ${value.gini_index.toFixed(0)}. ${tested}.`,
    [opinionsSentence(opinions), levelSentence(opinions, explained.test) ?? ''].join(' ').trim(),
    ...[poolingSentence(explanation.pooling, used) ?? []].flat(),
    ...countyLines(value.mean_adjusted_price, explanation.county, warnings),
    errorSentence(errorShares(uncertainty)),
    offersSentence(offers, valueRange),
    '',
    `Valued: ${subject.acres.toFixed(2)} ac, ${subject.use ?? 'use unknown'}, as of ${isoDay(subject.date)}`,
    tableText(
      gridHeads(causes),
      used.map((comp) => usedRow(comp, causes, limit)),
    ),
    '',
    ...(steep > 0 ? [`${steep} of ${used.length} comps are marked *: ${grossMarkWords(limit)}.`] : []),
    ...outliers.map(outlierText),
    `Left out: ${
      Object.entries(leftOut.counts)
        .filter(([, count]) => count > 0)
        .map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`)
        .join(', ') || 'none'
    }.`,
    'A research indication from public records, not an appraisal.',
  ].join('\n');
}

const valueWords = ({ value, valueRange }: ExplainedValue['explanation']): string => {
  const { low, high } = valueRange;
  const text = (price: number) => dollarsWithin(price, valueRange);
  return `${text(low)} to ${text(high)}, middle ${text(value.mean_adjusted_price)}`;
};

/** With what was pinned and struck by hand, beside the value without; its grid too. */
function forcedLines({ forced, test }: ExplainedValue): string[] {
  if (!forced) return [];
  const { explanation, pinned, struck } = forced;
  const causes = shownCauses(explanation.used);
  const hands = [
    ...(pinned.length > 0 ? [`pinned: ${pinned.join(', ')}`] : []),
    ...(struck.length > 0 ? [`struck: ${struck.join(', ')}`] : []),
  ];
  return [
    `By hand (${hands.join('; ')}): ${valueWords(explanation)}`,
    '',
    tableText(
      gridHeads(causes),
      explanation.used.map((comp) => usedRow(comp, causes, grossLimit(test))),
    ),
    '',
    'Without a hand:',
  ];
}

const gridHeads = (causes: readonly ValueCause[]): string[] => [
  ...['comp', 'status', 'date', 'use', 'price', 'acres', '$/ac', 'km'],
  ...causes.map(causeHead),
  ...['adj $/ac', 'net', 'gross', 'weight'],
];

const outlierText = ({ comp, outlier }: LeftOutComp): string =>
  `Outlier: ${nameOf(comp)}, ${isoDay(comp.date)}, ${dollars(comp.price ?? 0)}, ${outlier?.spreads.toFixed(1) ?? ''} spreads from the rest.`;

function usedRow(
  { comp, price, acres, pricePerAcre, distanceKilometers, factors, adjustedPricePerAcre, weight }: UsedComp,
  causes: readonly ValueCause[],
  limit: number,
): Record<string, unknown> {
  return {
    comp: nameOf(comp),
    status: comp.status,
    date: isoDay(comp.date),
    use: comp.use ?? '',
    price: dollars(price),
    acres: acres.toFixed(2),
    '$/ac': dollars(pricePerAcre),
    km: distanceKilometers.toFixed(1),
    ...Object.fromEntries(causes.map((cause) => [causeHead(cause), factorText(factors[cause])])),
    'adj $/ac': dollars(adjustedPricePerAcre),
    net: signedPercent(netAdjustment(factors)),
    gross: grossText(factors, limit),
    weight: `${(weight * 100).toFixed(1)} %`,
  };
}

export function backtestText(result: BacktestResult): string {
  const by = result.method === 'boosted' ? 'with the model of the market' : 'by the comps alone';
  return [
    `${backtestSentence(result)}; ${result.valuedCount} of ${result.saleCount} sales valued ${by}.`,
    ...(result.detail ? detailLines(result.detail) : []),
  ].join('\n');
}

const detailLines = ({ figures, strata, offers }: TestDetail): string[] => [
  '',
  tableText(
    ['figure', 'value', '90 % interval', 'standard'],
    figures.map(({ name, value, low, high }) => {
      const { label, digits, wants } = testFigures[name];
      return {
        figure: label,
        value: value.toFixed(digits),
        '90 % interval': `${low.toFixed(digits)} to ${high.toFixed(digits)}`,
        standard: wants,
      };
    }),
  ),
  '',
  tableText(
    ['sales of', 'sales', 'median ratio', 'half within', 'COD'],
    strata.map(({ label, sales, median, half_within: half, cod }) => ({
      'sales of': label,
      sales,
      'median ratio': median.toFixed(2),
      'half within': `${half.toFixed(0)} %`,
      COD: cod.toFixed(1),
    })),
  ),
  '',
  `Offers at a risk of ${offers.map(({ risk }) => `${risk} %`).join(', ')}: ${offers.map(({ below }) => `${below.toFixed(0)} %`).join(', ')} of these sales sold below.`,
];
