/**
 * `npm run test:valuation`: the comp value on three real land markets (../shared/data/comps; docs/valuation.md, "Measured" and "What must hold"), beside
 * what people do by hand, and whether it holds what it must. Exit code 1 on a MISS; 0 where the data are absent.
 */
import { tableText } from '../../engine/cli/output.ts';
import { type RatioStudy, studyRatios } from '../../engine/comps/ratio-study.ts';
import {
  type Check,
  checkConfidence,
  checkInvariants,
  checkMarket,
  checkRobustness,
  checkShores,
  corrupt,
  type MarketRun,
} from './checks.ts';
import { checkGaps } from './gap-checks.ts';
import { checkModels, type MarketComparison } from './market-checks.ts';
import { valueMarketByModel } from './market-runs.ts';
import {
  hasMarkets,
  type MarketName,
  marketTitles,
  pairsOf,
  radiusAndBand,
  readMarket,
  readMarketWithShores,
  tenNearest,
  valueByHand,
  valueMarket,
} from './markets.ts';
import { measureSpeed } from './speed.ts';
import { checkRanking, checkUndated } from './undated-checks.ts';

const print = (text: string) => process.stdout.write(`${text}\n`);

function tableRow(market: string, method: string, study: RatioStudy | null, subjectCount: number) {
  const number = (value: number | null | undefined, digits: number) => value?.toFixed(digits).padStart(5) ?? '';
  return {
    market,
    method,
    valued: `${study?.count ?? 0} of ${subjectCount}`,
    MdAPE: number(study?.medianAbsolutePercentError, 1),
    'within 20': number(study === null ? undefined : 100 * study.within20Share, 0),
    median: number(study?.medianRatio, 2),
    'COD trimmed': number(study?.trimmedCod, 1),
    COD: number(study?.cod, 1),
    PRD: number(study?.prd, 2),
    PRB: number(study?.prb, 3),
  };
}

interface MarketResult {
  readonly run: MarketRun;
  readonly comparison: MarketComparison;
  readonly rows: ReturnType<typeof tableRow>[];
}

function runMarket(name: MarketName): MarketResult {
  const market = readMarket(name);
  const held = valueMarket(market);
  const study = studyRatios(pairsOf(held));
  if (study === null) throw new Error(`nothing could be valued in ${name}`);
  const boosted = valueMarketByModel(market, market.comps);
  const corrupted = corrupt(market.comps, `valuation/${name}/0`);
  const count = market.test.length;
  const byHand = (method: typeof tenNearest, comps = market.comps) => studyRatios(valueByHand(market, method, comps));
  const rows = [
    tableRow(marketTitles[name], 'comps alone', study, count),
    tableRow('', 'with the market model', studyRatios(pairsOf(boosted)), count),
    tableRow('', '10 nearest, median', byHand(tenNearest), count),
    tableRow('', '5 miles, 0.5-2x acres, median', byHand(radiusAndBand), count),
    tableRow('10 % of comps wrong by 5x', 'comps alone', studyRatios(pairsOf(valueMarket(market, corrupted))), count),
    tableRow('', '10 nearest, median', byHand(tenNearest, corrupted), count),
  ];
  return { run: { market, held, study }, comparison: { market, local: held, boosted }, rows };
}

function runAll(): void {
  if (!hasMarkets()) {
    print('SKIPPED: test:valuation: ../shared/data/comps (real land sales) is not present');
    return;
  }
  const markets = (['kansas_ag', 'ba2020', 'washington_nh_ext'] as const).map(runMarket);
  const columns = Object.keys(markets[0]?.rows[0] ?? {});
  print(
    tableText(
      columns,
      markets.flatMap(({ rows }) => rows),
    ),
  );
  const runs = markets.map(({ run }) => run);
  const confidence = checkConfidence(runs);
  const models = checkModels(markets.map(({ comparison }) => comparison));
  const checks: Check[] = [
    ...runs.flatMap(checkMarket),
    ...confidence.checks,
    checkRobustness(runs),
    ...checkShores(runs.find(({ market }) => market.name === 'washington_nh_ext')?.held ?? [], readMarketWithShores()),
    ...runs.flatMap(checkInvariants),
    // the quarters of Buenos Aires leave no gaps
    ...runs.flatMap(({ market }) => (market.name === 'ba2020' ? [] : checkGaps(market))),
    ...markets.map(({ comparison: { market, boosted } }) => checkRanking(market, boosted)),
    ...runs.flatMap(({ market }) => (market.name === 'ba2020' ? [] : [checkUndated(market)])),
    ...models.checks.map((check) => ({ ...check, what: `model: ${check.what}` })),
  ];
  print('');
  for (const { what, isHeld, found } of checks) print(`${isHeld ? 'ok  ' : 'MISS'}  ${what}: ${found}`);
  for (const note of [...confidence.notes, ...models.notes]) print(`note  ${note}`);
  print(`\n${measureSpeed()}`);
  const missed = checks.filter(({ isHeld }) => !isHeld).length;
  print(`${checks.length - missed} of ${checks.length} held`);
  if (missed > 0) process.exitCode = 1;
}

runAll();
