/** Values and phones that priced runs have added to the parcels of a list, or the reasons for their absence. */
import Type from 'typebox';
import { skipTraceResultSchema } from '../operations/skip-trace-owner.ts';
import { orNull, type ValueOf } from '../spec/value-schemas.ts';
import { findTrace, parcelSubject } from '../work/store-traces.ts';
import type { ReadContext } from './read.ts';

export const addedColumnsSchema = {
  value: orNull(
    Type.Object({ price: Type.Number(), low: Type.Number(), high: Type.Number(), valued_at: Type.String() }),
  ),
  value_note: orNull(Type.String(), { description: 'Instead of a value: `waiting`, or the reason why there is none.' }),
  phones: skipTraceResultSchema.properties.phones,
  phone_note: orNull(Type.String()),
};
export type AddedColumns = ValueOf<Type.TObject<typeof addedColumnsSchema>>;

interface ValueRow {
  readonly property_id: number;
  readonly price: number;
  readonly low: number;
  readonly high: number;
  readonly valued_at: string;
}

const valuesSql = `
SELECT property_id, valued_at, explained ->> '$.numbers.mean_adjusted_price' AS price,
  explained ->> '$.range.low' AS low, explained ->> '$.range.high' AS high
FROM stored_values WHERE property_id IN (SELECT value FROM json_each(?))`;

/** From the latest run of each kind that included the parcel. */
const notesSql = `
SELECT property_id, kind, CASE WHEN outcome IS NULL AND ended_at IS NULL THEN 'waiting' ELSE note END AS note, max(run_id)
FROM list_run_rows JOIN list_runs USING (run_id)
WHERE list_id = ? AND property_id IN (SELECT value FROM json_each(?)) GROUP BY property_id, kind`;

/** @param listId null: the starred parcels, which have no runs */
export function addedColumns(
  { account, people }: ReadContext,
  listId: number | null,
  ids: readonly number[],
): ReadonlyMap<number, AddedColumns> {
  const json = JSON.stringify(ids);
  const values = new Map(account.file.all<ValueRow>(valuesSql, json).map((row) => [row.property_id, row]));
  const notes = new Map(
    account.file
      .all<{ property_id: number; kind: string; note: string | null }>(notesSql, listId, json)
      .map(({ property_id: id, kind, note }) => [`${kind} ${id}`, note]),
  );
  return new Map(
    ids.map((id) => {
      const stored = values.get(id);
      const trace = findTrace(people, parcelSubject(id));
      const noMatch = trace && !trace.result.matched ? 'no match' : null;
      const value = stored && { price: stored.price, low: stored.low, high: stored.high, valued_at: stored.valued_at };
      const added: AddedColumns = {
        value: value ?? null,
        value_note: value ? null : (notes.get(`values ${id}`) ?? null),
        phones: trace?.result.phones ?? [],
        phone_note: trace?.result.matched ? null : (noMatch ?? notes.get(`phones ${id}`) ?? null),
      };
      return [id, added];
    }),
  );
}
