/** What a shared page is asked for, checked, and the parcels that it is about. */
import Type from 'typebox';
import type { Engine } from '../engine.ts';
import { readOwner } from '../owners/read-owner.ts';
import { grouped } from '../spec/counted.ts';
import { EngineError, noParcel, validationError } from '../spec/errors.ts';
import { findProblems } from '../spec/validate.ts';
import { choiceSchema, strict, type ValueOf } from '../spec/value-schemas.ts';
import { idSchema } from '../work/chosen-parcels.ts';
import { exportWhatSchema, standingParcels } from '../work/export-choice.ts';
import { partNames } from './share-parts.ts';

export const shareFields = {
  what: Type.Union([exportWhatSchema, Type.Object({ owner_of: idSchema }, strict)], {
    'x-expected': 'what an export takes, or { owner_of } for all land of a parcel’s owner',
  }),
  title: Type.Optional(
    Type.String({
      maxLength: 120,
      'x-option': '<text>',
      description: 'heading; the APN, or how many parcels without it',
    }),
  ),
  parts: Type.Optional(
    Type.Array(choiceSchema(partNames), {
      ...{ 'x-option': '--with <names>', 'x-expected': `a list of ${partNames.join(', ')}` },
      description: `what goes along, nothing of it without this: ${partNames.join(', ')}`,
      maxItems: partNames.length,
    }),
  ),
  photos: Type.Optional(
    Type.Union([Type.Literal('all'), Type.Array(idSchema, { maxItems: 1000 })], {
      'x-expected': '"all", or a list of photo_ids',
      description: 'Photos of these parcels, made small; none without it.',
    }),
  ),
};

const shareSchema = Type.Object(shareFields, strict);
export type ShareChoice = ValueOf<typeof shareSchema>;

/** What a share reads. */
export type ShareHome = Pick<Engine, 'home' | 'land' | 'account' | 'people' | 'now'>;

/** More lots are a map of a county, and a list that no phone scrolls. */
const mostParcels = 500;

/** @throws EngineError validation_error, not_found */
export function requireChoice(choice: unknown): asserts choice is ShareChoice {
  const problems = findProblems(shareSchema, choice);
  if (problems) throw validationError(problems);
}

/** Current parcels in their order. @throws EngineError validation_error, not_found */
export function sharedIds(engine: ShareHome, { what }: ShareChoice): { ids: readonly number[]; retired: number } {
  const all = 'owner_of' in what ? ownedIds(engine, what.owner_of) : standingParcels(engine, { what }).ids;
  if (all.length > mostParcels)
    throw new EngineError(
      'validation_error',
      `Expected at most ${mostParcels} parcels to share, found ${grouped(all.length)}: share a part of them.`,
    );
  const current = new Set(
    engine.land.file.column<number>(
      "SELECT property_id FROM parcels WHERE status = 'current' AND property_id IN (SELECT value FROM json_each(?))",
      JSON.stringify(all),
    ),
  );
  const ids = all.filter((id) => current.has(id));
  if (ids.length === 0) throw new EngineError('validation_error', 'Expected a parcel to share, found none.');
  return { ids, retired: all.length - ids.length };
}

/** All land of an owner in every spelling; an owner who is not worked out has this parcel. */
function ownedIds({ land }: ShareHome, id: number): readonly number[] {
  const owner = readOwner(land.file, id);
  if (!owner) throw noParcel(id);
  return owner.parcels.length > 0 ? owner.parcels.map((parcel) => parcel.property_id) : [id];
}
