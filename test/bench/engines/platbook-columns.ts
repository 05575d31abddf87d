/** Platbook's column index, as filter_properties and search_properties use it; SQL answers for counties without one. */
import type { Engine } from '../../../engine/engine.ts';
import { parseOrdering } from '../../../engine/operations/parcel-list.ts';
import { parseFilterRequest } from '../../../engine/query/filter-request.ts';
import {
  countiesFor,
  filterQuestion,
  findParcels,
  type ParcelQuestion,
  searchQuestion,
} from '../../../engine/query/find-parcels.ts';
import { nothingLookedUp } from '../../../engine/query/looked-up.ts';
import type { Ordering, ParcelPage } from '../../../engine/query/parcel-query.ts';
import type { Page } from '../../../engine/spec/paging.ts';
import type { LandStore } from '../../../engine/store/land-store.ts';
import type { Question } from '../questions.ts';
import { touchedBytes } from '../touched-bytes.ts';

export function findByColumns({ land }: Engine, question: Question): ParcelPage {
  return findParcels(land, askOf(question), ...pageOf(question));
}

export function pageOf({ page: number, pageSize, body }: Question): [Page, Ordering | null] {
  const { ordering } = body as { ordering?: string };
  return [{ number, size: pageSize, offset: (number - 1) * pageSize }, parseOrdering(ordering)];
}

export function askOf({ operation, body }: Question): (store: LandStore) => ParcelQuestion {
  if (operation === 'search_properties') {
    const { fips, owner_name: ownerName } = body as { fips: string; owner_name: string };
    return () => searchQuestion({ fips, ids: null, ownerName });
  }
  const { ordering: _, ...filters } = body as { ordering?: string };
  const request = parseFilterRequest(filters);
  return (store) => filterQuestion(store, request, nothingLookedUp);
}

/** Bytes that a count reads at least; null if SQL answers. */
export function bytesByColumns({ land }: Engine, question: Question): number | null {
  return land.file.snapshot(() => {
    const asked = askOf(question)(land);
    const counties = countiesFor(land, asked);
    return counties?.reduce((sum, county) => sum + touchedBytes(county, asked.steps), 0) ?? null;
  });
}

/** A page without rows or order: only the count remains. */
export function countByColumns(engine: Engine, question: Question): number {
  const { ordering: _, ...body } = question.body;
  return findByColumns(engine, { ...question, body, page: 1, pageSize: 0 }).count;
}
