/** Creates and revokes keys of the HTTP API. Neither can be undone: a key is shown once, and revoked for good. */
import Type from 'typebox';
import { createKey, keyScopes, revokeKey } from '../account/api-keys.ts';
import { EngineError } from '../spec/errors.ts';
import { oneOf, strict, textSchema, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';

const scopesSchema = Type.Array(oneOf(keyScopes), {
  'x-expected': `a list of ${keyScopes.join(', ')}`,
  minItems: 1,
  uniqueItems: true,
});

const newKey = Type.Object(
  {
    key_id: Type.Integer(),
    name: Type.String(),
    scopes: scopesSchema,
    key: Type.String({ description: 'The key itself, for the only time.' }),
  },
  strict,
);

export const createApiKey = defineChange({
  name: 'create_key',
  docs: 'Creates a key of the HTTP API. Only this answer holds the key itself: Platbook stores its hash.',
  input: Type.Object({ name: textSchema(), scopes: scopesSchema }, strict),
  output: newKey,
  run: ({ name, scopes }, engine) => {
    const { id, key } = createKey(engine.account, name, scopes, engine.now());
    return { data: { key_id: id, name, scopes, key } };
  },
});

export const revokeApiKey = defineChange({
  name: 'revoke_key',
  docs: 'Revokes a key for good. Programs that use it get 401 from their next request on.',
  input: Type.Object({ key_id: wholeNumberSchema(1, Number.MAX_SAFE_INTEGER) }, strict),
  output: Type.Object({ key_id: Type.Integer() }, strict),
  run: ({ key_id: id }, engine) => {
    if (revokeKey(engine.account, id, engine.now())) return { data: { key_id: id } };
    throw new EngineError('not_found', `There is no key ${id} that is still valid.`);
  },
});
