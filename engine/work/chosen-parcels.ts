/** The parcels of a change: by id, or all matches of a filter. */
import Type from 'typebox';
import type { Engine } from '../engine.ts';
import { parseOrdering, rowOrderingField } from '../operations/parcel-list.ts';
import { parseLiveRequest } from '../query/live-request.ts';
import { liveIds } from '../query/live-rows.ts';
import { validationError } from '../spec/errors.ts';
import { strict, type ValueOf, wholeNumberSchema } from '../spec/value-schemas.ts';
import { filterBodySchema } from './filter-body.ts';

export const idSchema = wholeNumberSchema(1, Number.MAX_SAFE_INTEGER);

/** More than anyone chooses by hand; a filter has no such limit. */
const mostIds = 100_000;

export const idsSchema = Type.Array(idSchema, {
  'x-expected': 'a list of parcel ids',
  minItems: 1,
  maxItems: mostIds,
});

/** Parcels by id, or all matches of a filter in its order. */
export const chosenSchema = Type.Union(
  [
    Type.Object({ ids: idsSchema }, strict),
    Type.Object({ filter: filterBodySchema, ordering: Type.Optional(rowOrderingField) }, strict),
  ],
  { 'x-expected': '{ ids } or { filter, ordering }' },
);

type Chosen = ValueOf<typeof chosenSchema>;

/** Ids in the chosen order, each once. @throws EngineError validation_error for an unknown parcel */
export function chosenIds({ land, account }: Pick<Engine, 'land' | 'account'>, chosen: Chosen): readonly number[] {
  if ('filter' in chosen)
    return liveIds(land, parseLiveRequest(chosen.filter, account), parseOrdering(chosen.ordering ?? undefined));
  const ids = [...new Set(chosen.ids)];
  requireParcels({ land }, ids);
  return ids;
}

/** Accepts retired parcels: their notes refer to them. @throws EngineError validation_error */
export function requireParcels({ land }: Pick<Engine, 'land'>, ids: readonly number[]): void {
  const unknown = land.file.column<number>(
    'SELECT value FROM json_each(?) WHERE value NOT IN (SELECT property_id FROM parcels) LIMIT 3',
    JSON.stringify(ids),
  );
  if (unknown.length > 0) throw validationError({ ids: unknown.map((id) => `there is no parcel ${id}`) });
}

/** `12-151`, `parcel 40 without an APN`, `3 parcels`: names changed parcels in sentences. */
export function parcelWords({ land }: Pick<Engine, 'land'>, ids: readonly number[]): string {
  const [id] = ids;
  if (ids.length !== 1 || id === undefined) return `${ids.length.toLocaleString('en-US')} parcels`;
  const apn = land.file.get<{ apn: string | null }>('SELECT apn FROM parcels WHERE property_id = ?', id)?.apn;
  return apn || `parcel ${id}`;
}

interface OwnerThen {
  readonly property_id: number;
  readonly owner_name: string | null;
}

/** The current owners of these parcels, in their order. */
export const ownersOf = ({ land }: Pick<Engine, 'land'>, ids: readonly number[]): OwnerThen[] =>
  land.file.all<OwnerThen>(
    `SELECT e.value AS property_id, p.owner_name FROM json_each(?) e LEFT JOIN parcels p ON p.property_id = e.value ORDER BY e.key`,
    JSON.stringify(ids),
  );
