/**
 * Alder County: an invented county of invented people, identical for the same seed. Platbook ships no real land; a new
 * home shows this sample, tests import it and benches multiply it.
 */
import { buildComps } from './comps.ts';
import { buildContacts } from './contacts.ts';
import { buildLand, closedRing } from './land.ts';
import { buildParcels } from './parcels.ts';
import { createRandom } from './random.ts';
import { buildRoads } from './road-lines.ts';
import type { SampleCounty } from './types.ts';

export type * from './types.ts';

export const sampleCounty = {
  fips: '99001',
  name: 'Alder County',
  state: 'ZZ',
  source: 'Synthetic sample (no real people or places)',
  date: '2026-11-02',
} as const;

/** `parcels`: approximate number of lots; rights of way, water and lots without a shape are added. */
export function buildSampleCounty(options: { seed?: number; parcels?: number } = {}): SampleCounty {
  const random = createRandom(options.seed ?? 1);
  const land = buildLand(options.parcels ?? 6000, random.fork('land'));
  const records = buildParcels(land, random.fork('parcels'));
  return {
    parcels: records.map(({ geometry, properties }) => ({ geometry, properties })),
    comps: buildComps(records, random.fork('comps')),
    contacts: buildContacts(records, random.fork('contacts')),
    roads: buildRoads(land.network),
    outline: closedRing(land.network, land.network.fabric.expand(land.network.outline)),
  };
}
