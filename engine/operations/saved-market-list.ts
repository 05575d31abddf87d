/** Shared by the four operations over saved markets: the object, and the rows of account.sqlite in pinned order. */
import Type, { type Static } from 'typebox';
import { findFormerRegion, type RegionTable } from '../query/region-query.ts';
import { EngineError } from '../spec/errors.ts';
import { strict, textSchema, wholeNumberSchema } from '../spec/value-schemas.ts';
import type { AccountStore } from '../store/account-store.ts';
import { regionSchema } from './list-regions.ts';

export interface MarketRow {
  readonly market_id: number;
  readonly region_id: string;
  readonly status: string;
  /** 1, 2, 3 … without gaps. */
  readonly position: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export const savedMarketSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Number of the saved market.' }),
    region: regionSchema,
    status: Type.String({ description: 'Free label, like a column of a board: Backlog, Watching, Active.' }),
    created_at: Type.String({ description: 'When it was saved, ISO 8601, UTC.' }),
    updated_at: Type.String({ description: 'When status or place last changed.' }),
  },
  { ...strict, title: 'SavedMarket' },
);
/** A saved market as answers show it. */
export type SavedMarket = Static<typeof savedMarketSchema>;

export const marketIdField = wholeNumberSchema(1, Number.MAX_SAFE_INTEGER, { description: 'The saved market.' });

export const statusField = textSchema({ description: 'Free label, like a column of a board.' });

export const marketOf = (row: MarketRow, regions: RegionTable): SavedMarket => ({
  id: row.market_id,
  region: findFormerRegion(regions, row.region_id),
  status: row.status,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export const marketRows = ({ file }: AccountStore): MarketRow[] =>
  file.all<MarketRow>('SELECT * FROM saved_markets ORDER BY position, market_id');

/** @throws EngineError not_found */
export function marketRow({ file }: AccountStore, id: number): MarketRow {
  const row = file.get<MarketRow>('SELECT * FROM saved_markets WHERE market_id = ?', id);
  if (!row) throw new EngineError('not_found', `There is no saved market ${id}.`);
  return row;
}

/** Writes the positions 1, 2, 3 … Call it inside a transaction. */
export function renumber({ file }: AccountStore, ids: readonly number[]): void {
  for (const [index, id] of ids.entries()) {
    file.run('UPDATE saved_markets SET position = ? WHERE market_id = ? AND position <> ?', index + 1, id, index + 1);
  }
}
