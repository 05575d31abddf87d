/** A filter answered by SQL alone, whatever the state of the column index: its oracle. */
import { type ParcelQuestion, queryOf } from '../../engine/query/find-parcels.ts';
import type { Ordering, ParcelPage } from '../../engine/query/parcel-query.ts';
import { countAndPage } from '../../engine/query/sql-filters/count-and-page.ts';
import type { Page } from '../../engine/spec/paging.ts';
import type { LandStore } from '../../engine/store/land-store.ts';

/** @throws EngineError not_found for a page past the end, validation_error when it would take too long */
export function queryParcels(
  land: LandStore,
  question: ParcelQuestion,
  page: Page,
  ordering: Ordering | null,
): ParcelPage {
  return land.withDeadline(() => land.file.snapshot(() => countAndPage(land, queryOf(question, page, ordering))));
}
