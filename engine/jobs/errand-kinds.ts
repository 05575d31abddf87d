/** Errands: work of a worker that is no job. They are not listed, and nothing queues behind them. */
import Type from 'typebox';
import { noInput, orNull, strict, wantedPersonSchema } from '../spec/value-schemas.ts';
import type { TaskInput, TaskKind } from './task-kind.ts';

const file = Type.String({ minLength: 1, description: 'Its whole path.' });
const work = { file, only_my_work: Type.Boolean() };

export const errands = {
  index_stale: { docs: 'Indexes the stale counties of the home; reports their FIPS codes.', input: noInput },
  keep_markets: {
    docs: 'Trains the market models that do not fit their comps, then tests those that are not tested; reports their FIPS codes.',
    input: noInput,
  },
  backup: { docs: 'Writes a backup of the home, or of the user’s work alone.', input: Type.Object(work, strict) },
  prepare_restore: { docs: 'Checks a backup and puts it ready for the next start.', input: Type.Object(work, strict) },
  delete_contact: {
    docs: 'Deletes a person from the contact records and keeps later lists from bringing the person back.',
    input: Type.Object({ person: orNull(wantedPersonSchema), phone: orNull(Type.String()) }, strict),
  },
  share: { docs: 'Writes a copy of land.sqlite to give away.', input: Type.Object({ file }, strict) },
} as const satisfies Record<string, TaskKind>;

export type ErrandName = keyof typeof errands;
export type ErrandInput<Name extends ErrandName> = TaskInput<typeof errands, Name>;
