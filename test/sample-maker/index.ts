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
  const { random, land, records } = buildRecords(options);
  return {
    parcels: records.map(({ geometry, properties }) => ({ geometry, properties })),
    comps: buildComps(records, random.fork('comps')),
    contacts: buildContacts(records, random.fork('contacts')),
    roads: buildRoads(land.network),
    outline: closedRing(land.network, land.network.fabric.expand(land.network.outline)),
  };
}

/** The county's land with a record for every parcel: what its lists and its map layers are made from. */
export function buildRecords({ seed = 1, parcels = 6000 }: { seed?: number; parcels?: number } = {}) {
  const random = createRandom(seed);
  const land = buildLand(parcels, random.fork('land'));
  return { random, land, records: buildParcels(land, random.fork('parcels')) };
}
