/** POST owners/verdicts/: says that owners are one, are not, or share a person. */
import Type from 'typebox';
import { andThen } from '../land/answered.ts';
import { identityKey, type RecordedOwner } from '../owners/owner-identity.ts';
import { verdictKinds } from '../owners/owner-links.ts';
import { validationError } from '../spec/errors.ts';
import { choiceSchema, count, strict, type ValueOf, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineOperation, free, type OperationContext } from './operation.ts';

const id = wholeNumberSchema(1, Number.MAX_SAFE_INTEGER, { description: 'A parcel of the owner.' });

const input = Type.Object(
  {
    property_id: id,
    other_ids: Type.Array(id, {
      ...{ minItems: 1, maxItems: 100, 'x-expected': 'a list of parcel ids' },
      description: 'A parcel of each other owner: the verdict holds between the first and each of them.',
    }),
    verdict: choiceSchema([...verdictKinds, 'none'], {
      description: '`same` joins, `different` parts and wins over it, `shares` is a relation, `none` takes back.',
    }),
  },
  strict,
);

const keyOf = (owners: ReadonlyMap<number, RecordedOwner>, of: number, field: string): string => {
  const owner = owners.get(of);
  if (!owner) throw validationError({ [field]: [`there is no parcel ${of}`] });
  const key = identityKey(owner);
  if (key === null) throw validationError({ [field]: [`parcel ${of} has no owner name on record`] });
  return key;
};

function judge(
  { property_id: own, other_ids: others, verdict }: ValueOf<typeof input>,
  { account: { file }, now }: OperationContext,
  owners: ReadonlyMap<number, RecordedOwner>,
): { changed: number } {
  const key = keyOf(owners, own, 'property_id');
  const otherKeys = new Set(others.map((other) => keyOf(owners, other, 'other_ids')));
  if (otherKeys.has(key))
    throw validationError({ other_ids: ['expected owners of another spelling or address than the first'] });
  let changed = 0;
  for (const other of otherKeys) {
    const pair = [key, other].sort();
    if (verdict === 'none')
      changed += file.run('DELETE FROM owner_verdicts WHERE a_key = ? AND b_key = ?', ...pair).changes;
    else
      changed += file.run(
        `INSERT INTO owner_verdicts (a_key, b_key, verdict, said_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (a_key, b_key) DO UPDATE SET verdict = excluded.verdict, said_at = excluded.said_at
         WHERE verdict <> excluded.verdict`,
        ...[...pair, verdict, now().toISOString()],
      ).changes;
  }
  return { changed };
}

export const judgeOwners = defineOperation({
  name: 'judge_owners',
  summary: 'Say whether owners are the same',
  docs: 'A verdict between the owner of one parcel and those of others. It is kept by name and mailing address, so it outlives imports, and takes effect as soon as owners are worked out again, in seconds.',
  http: { method: 'POST', path: 'owners/verdicts/', status: 200 },
  scope: 'write',
  needsPlan: true,
  ...free,
  input,
  output: Type.Object({ changed: count('Verdicts that are new, changed or taken back.') }, strict),
  run: (given, context) =>
    andThen(context.land.recordedOwners([given.property_id, ...given.other_ids]), (owners) =>
      context.account.file.transaction(() => judge(given, context, owners)),
    ),
  examples: [{ title: 'Two owners are different', input: { property_id: 1, other_ids: [2], verdict: 'different' } }],
});
