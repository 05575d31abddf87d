/** Buildings, values and taxes. */
import type { Random } from './random.ts';
import { gap, hundreds, type Values } from './record-parts.ts';
import { type LandUse, uses } from './uses.ts';

export interface Building {
  readonly count: number;
  readonly squareFeet: number;
  readonly year: number;
  /** Dollars in 2026. */
  readonly worth: number;
}

/** Square feet of a usual building, and its price per square foot when new. */
function usualBuilding(use: LandUse): { squareFeet: number; rate: number } {
  if (use === uses.camp) return { squareFeet: 640, rate: 95 };
  if (use === uses.mobile) return { squareFeet: 1050, rate: 55 };
  if (use === uses.apartments) return { squareFeet: 5600, rate: 150 };
  if (use === uses.school) return { squareFeet: 42_000, rate: 175 };
  if (use.class === 'E') return { squareFeet: 6200, rate: 175 };
  if (use.class === 'C' || use.class === 'I') return { squareFeet: 5200, rate: 140 };
  return { squareFeet: 1720, rate: 175 };
}

export function buildOn(use: LandUse, inTown: boolean, random: Random): Building | null {
  if (!use.improved) return null;
  const usual = usualBuilding(use);
  const squareFeet = Math.round(usual.squareFeet * Math.exp(0.33 * random.normal()));
  const old = random.chance(inTown ? 0.4 : 0.2);
  const year = Math.round(old ? random.between(1795, 1930) : random.between(1946, 2025));
  const wear = Math.exp(-Math.min(70, 2026 - year) / 95);
  const sheds = random.weighted([
    [0, 7],
    [1, 3],
    [2, 0.8],
  ]);
  const count = use === uses.farm ? random.integer(2, 7) : 1 + sheds;
  return { count, squareFeet, year, worth: squareFeet * usual.rate * wear * Math.exp(0.15 * random.normal()) };
}

export function buildingColumns(building: Building | null, random: Random): Values {
  if (!building) return { structure_count: gap(random, 0.12, 0), building_sqft: null, year_built: null };
  return {
    structure_count: gap(random, 0.05, building.count),
    building_sqft: gap(random, 0.06, building.squareFeet),
    year_built: gap(random, 0.1, building.year),
  };
}

export function valueColumns(
  land: number,
  building: Building | null,
  use: LandUse,
  acres: number,
  random: Random,
): Values {
  const guess = Math.exp(0.11 * random.normal());
  const market = { land: Math.max(100, hundreds(land * guess)), improvement: hundreds((building?.worth ?? 0) * guess) };
  const ratio = random.between(0.78, 0.94);
  const assessed = {
    land: Math.max(100, hundreds(market.land * ratio * currentUseShare(use, acres, random))),
    improvement: hundreds(market.improvement * ratio),
  };
  const unassessed = random.chance(use.class === 'E' ? 0.3 : 0.03);
  const taxYear = random.chance(0.74) ? 2026 : 2025;
  return {
    ...valueTriple('assessed', unassessed ? null : assessed, taxYear),
    ...valueTriple('market', random.chance(0.09) ? null : market, random.chance(0.8) ? 2026 : 2025),
    ...taxColumns(unassessed ? null : assessed.land + assessed.improvement, taxYear, use, random),
  };
}

/** Woodland and farms in current use are assessed at a fraction of their market value. */
function currentUseShare(use: LandUse, acres: number, random: Random): number {
  const eligible = acres > 10 && (use.class === 'F' || use.class === 'A');
  return eligible && random.chance(0.6) ? random.between(0.08, 0.2) : 1;
}

function valueTriple(
  kind: 'assessed' | 'market',
  values: { land: number; improvement: number } | null,
  year: number,
): Values {
  return {
    [`${kind}_total_value`]: values ? values.land + values.improvement : null,
    [`${kind}_land_value`]: values?.land ?? null,
    [`${kind}_improvement_value`]: values?.improvement ?? null,
    [`${kind}_year`]: values ? year : null,
  };
}

function taxColumns(assessed: number | null, year: number, use: LandUse, random: Random): Values {
  const exempt = use.class === 'E';
  const unbilled = assessed === null || random.chance(0.04);
  const delinquent = !exempt && random.chance(use.improved ? 0.022 : 0.04);
  const yearsBehind = Math.min(7, 1 + Math.floor(-Math.log(1 - random.next()) * 2.1));
  const bill = exempt ? 0 : Math.round((assessed ?? 0) * 0.0186 + 38);
  return {
    tax_amount: unbilled ? null : bill,
    tax_year: unbilled ? null : year,
    tax_delinquent_year: delinquent ? 2026 - yearsBehind : null,
  };
}
