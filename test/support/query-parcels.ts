/** A filter answered by SQL alone, whatever the state of the column index: its oracle. */
import { countAndPage, type ParcelPage, type ParcelQuery } from '../../engine/query/parcel-query.ts';
import type { LandStore } from '../../engine/store/land-store.ts';

/** @throws EngineError not_found for a page past the end, validation_error when it would take too long */
export function queryParcels(land: LandStore, query: ParcelQuery): ParcelPage {
  return land.withDeadline(() => land.file.snapshot(() => countAndPage(land, query)));
}
