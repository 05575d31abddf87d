/** Platbook's SQL path: the twin that every quicker way of answering must agree with. */
import type { Engine } from '../../../engine/engine.ts';
import type { ParcelPage } from '../../../engine/query/parcel-query.ts';
import { matchQuery } from '../../../engine/query/sql-filters/count-and-page.ts';
import { queryParcels } from '../../support/query-parcels.ts';
import type { Question } from '../questions.ts';
import { askOf, pageOf } from './platbook-columns.ts';

export const findBySql = ({ land }: Engine, question: Question): ParcelPage =>
  queryParcels(land, askOf(question)(land), ...pageOf(question));

export function countBySql({ land }: Engine, question: Question): number {
  const { terms, area } = askOf(question)(land);
  const { sql: text, parameters } = matchQuery(terms(), null);
  const count = `SELECT count(*) AS n FROM (${text})`;
  return land.withArea(area, () => land.file.get<{ n: number }>(count, ...parameters)?.n ?? 0);
}
