/** The comps of a value as CSV for a spreadsheet, with all digits: the factors multiply to the adjusted price. */
import { isoOfDay } from '../comps/comp-facts.ts';
import type { UsedComp } from '../comps/value-types.ts';
import { csvText } from '../http/csv.ts';
import { neutralText } from '../spec/formula-cells.ts';
import { grossAdjustment, netAdjustment, shownCauses } from '../spec/value-terms.ts';

export function usedCompsCsv(used: readonly UsedComp[]): string {
  const causes = shownCauses(used);
  const rows = used.map(({ comp, factors, ...row }) => ({
    id: comp.id,
    address: neutralText(comp.address ?? ''),
    apn: neutralText(comp.apn ?? ''),
    status: comp.status,
    date: comp.date === null ? '' : isoOfDay(comp.date),
    use: neutralText(comp.use ?? ''),
    price: row.price,
    acres: row.acres,
    price_per_acre: row.pricePerAcre,
    distance_km: row.distanceKilometers,
    ...Object.fromEntries(causes.map((cause) => [`factor_${cause}`, factors[cause]])),
    adjusted_price_per_acre: row.adjustedPricePerAcre,
    net_adjustment: netAdjustment(factors),
    gross_adjustment: grossAdjustment(factors),
    weight: row.weight,
  }));
  return csvText(Object.keys(rows[0] ?? {}), rows);
}
