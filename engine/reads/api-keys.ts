/** The keys of the HTTP API, without their text. */
import Type from 'typebox';
import { keyScopes, listKeys } from '../account/api-keys.ts';
import { noInput, oneOf, orNull, strict } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const text = Type.String();

export const apiKeys = defineRead({
  name: 'api_keys',
  docs: 'Every key of the HTTP API with its scopes and when it was last used. The key itself is never shown again.',
  input: noInput,
  output: Type.Object(
    {
      keys: Type.Array(
        Type.Object(
          {
            key_id: Type.Integer(),
            name: text,
            scopes: Type.Array(oneOf(keyScopes)),
            created_at: text,
            last_used_at: orNull(text, { description: 'To the minute; null: never used.' }),
            revoked_at: orNull(text, { description: 'Null while the key is valid.' }),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
  run: (_input, { account }) => ({
    keys: listKeys(account).map(({ id, name, scopes, created_at, last_used_at, revoked_at }) => ({
      key_id: id,
      name,
      scopes: [...scopes],
      created_at,
      last_used_at,
      revoked_at,
    })),
  }),
});
