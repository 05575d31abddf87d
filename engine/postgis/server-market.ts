/** The model of a county's market, as the home that pushed it has trained it. */
import { sql } from 'kysely';
import type { MarketSight } from '../comps/comp-value.ts';
import type { DegreeBox } from '../comps/distance.ts';
import type { ValueComp } from '../comps/value-types.ts';
import { sightOf } from '../query/market-sight.ts';
import { type CompsBox, isNearEnough, marketConstants, type StoredMarket, widened } from '../query/market-state.ts';
import type { Row } from './connect.ts';
import type { KeptLand } from './land-cache.ts';
import { stampOf } from './server-places.ts';
import type { SnapshotRows } from './snapshot-rows.ts';

type ModelRow = StoredMarket & Row & { readonly forests: Uint8Array; readonly tested: string | null };

/** Null without a model that fits: the comps alone answer. */
export async function findMarketSight(
  rows: SnapshotRows,
  kept: KeptLand,
  fips: string | null,
  compsIn: (box: DegreeBox) => Promise<ValueComp[]>,
): Promise<MarketSight | null> {
  if (fips === null) return null;
  return kept.keep(`market ${fips}`, await stampOf(rows), async () => {
    const stored = await rows.first<ModelRow>(
      sql`SELECT constants, generation, comp_count, comps, row_count, trained_at, tested_on, forests, tested
        FROM market_models WHERE fips = ${fips}`,
    );
    if (stored?.constants !== marketConstants || stored.row_count === 0) return null;
    const around = await rows.first<CompsBox & Row>(
      sql`SELECT min(longitude) AS west, max(longitude) AS east, min(latitude) AS south, max(latitude) AS north
        FROM comps WHERE fips = ${fips}`,
    );
    const box = widened(around);
    if (!box) return null;
    const comps = await compsIn(box);
    // the server counts no writes of comps: their number alone says how far the model is behind
    if (!isNearEnough(stored, { generation: stored.generation, comp_count: comps.length })) return null;
    const others = await rows.all<Row & { readonly tested: string }>(
      sql`SELECT tested FROM market_models WHERE fips <> ${fips} AND constants = ${marketConstants} AND tested IS NOT NULL`,
    );
    return sightOf(
      stored,
      comps,
      others.map(({ tested }) => tested),
    ).sight;
  });
}
