/** Platbook's SQL path: the twin that every quicker way of answering must agree with. */
import { sql } from 'kysely';
import type { Engine } from '../../../engine/engine.ts';
import { prepareGeometry } from '../../../engine/geo/intersects.ts';
import { parseOrdering } from '../../../engine/operations/parcel-list.ts';
import { parseFilterRequest } from '../../../engine/query/filter-request.ts';
import { currentTerm, filterTerms, hasEveryToken } from '../../../engine/query/filter-sql.ts';
import { matchQuery, type ParcelPage, type ParcelQuery } from '../../../engine/query/parcel-query.ts';
import { queryParcels } from '../../support/query-parcels.ts';
import type { Question } from '../questions.ts';

export const findBySql = ({ land }: Engine, question: Question): ParcelPage => queryParcels(land, queryOf(question));

export function countBySql({ land }: Engine, question: Question): number {
  const { terms, area } = queryOf(question);
  const { sql: text, parameters } = matchQuery(terms, null);
  const count = `SELECT count(*) AS n FROM (${text})`;
  return land.withArea(area, () => land.file.get<{ n: number }>(count, ...parameters)?.n ?? 0);
}

function queryOf({ operation, body, page, pageSize }: Question): ParcelQuery {
  const paging = { number: page, size: pageSize, offset: (page - 1) * pageSize };
  if (operation === 'search_properties') {
    const { fips, owner_name: name } = body as { fips: string; owner_name: string };
    const terms = [sql`fips = ${fips}`, currentTerm, hasEveryToken(sql.ref('owner_name'), name)];
    return { terms, area: null, page: paging, ordering: null };
  }
  const { ordering, ...filters } = body as { ordering?: string };
  const request = parseFilterRequest(filters);
  return {
    terms: filterTerms(request, null),
    area: request.area ? prepareGeometry(request.area) : null,
    page: paging,
    ordering: parseOrdering(ordering),
  };
}
