/** Seeded comps for the bench: clustered as markets are, over ten counties, most of them sold. */

import type { LandStore } from '../../engine/store/land-store.ts';
import { createRandom } from '../sample-maker/random.ts';

/** Counties side by side; the first is the one that the bench asks about. */
export const compCounties = Array.from({ length: 10 }, (_, i) => String(20_001 + 2 * i));

/** Writes `count` comps straight into the table: the bench measures answers, not this import. */
export function writeGeneratedComps({ file }: LandStore, count: number, seed: number): void {
  const random = createRandom(seed);
  const columns =
    'comp_id, source, source_id, fips, status, latitude, longitude, lot_size, price, list_date, as_of_date, sold_date';
  file.transaction(() => {
    for (let i = 0; i < count; i++) {
      file.run(
        `INSERT INTO comps (${columns}) VALUES (${columns.replace(/\w+/g, '?')})`,
        `comp-${i}`,
        'bench',
        String(i),
        ...valuesOf(random),
      );
    }
  });
}

type Random = ReturnType<typeof createRandom>;

/** County, status, place, acres, price and dates of one comp. */
function valuesOf(random: Random): unknown[] {
  const county = random.integer(0, compCounties.length - 1);
  const town = random.integer(0, 7);
  const spread = random.chance(0.6) ? 0.03 : 0.25;
  const latitude = 38 + 0.1 * (town % 3) + random.normal() * spread;
  const longitude = -98 + 0.6 * county + 0.06 * town + random.normal() * spread;
  const acres = Math.exp(random.normal() * 1.3 + 1.2);
  const price = Math.round(acres ** 0.65 * 4000 * Math.exp(random.normal() * 0.4));
  const day = new Date(Date.UTC(2026, 10, 20) - random.integer(0, 2500) * 86_400_000).toISOString().slice(0, 10);
  const [status, listed, sold] = random.chance(0.7) ? ['SOLD', null, day] : ['ACTIVE', day, null];
  return [compCounties[county], status, latitude, longitude, acres, price, listed, listed, sold];
}
