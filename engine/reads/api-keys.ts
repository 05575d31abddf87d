/** The keys of the HTTP API, without the keys. */
import Type from 'typebox';
import { keyScopes, listKeys } from '../account/api-keys.ts';
import { defineRead } from './read.ts';

export interface ListedKey {
  readonly key_id: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  /** To the minute; null: never used. */
  readonly last_used_at: string | null;
  /** Null while it is valid. */
  readonly revoked_at: string | null;
}

const text = Type.String();
const textOrNull = Type.Union([text, Type.Null()]);

export const apiKeys = defineRead<Record<string, never>, { keys: ListedKey[] }>({
  name: 'api_keys',
  docs: 'Every key of the HTTP API with its scopes and when it was last used. The key itself is never shown again.',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object(
    {
      keys: Type.Array(
        Type.Object(
          {
            key_id: Type.Integer(),
            name: text,
            scopes: Type.Array(Type.Union(keyScopes.map((scope) => Type.Literal(scope)))),
            created_at: text,
            last_used_at: textOrNull,
            revoked_at: textOrNull,
          },
          { additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
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
