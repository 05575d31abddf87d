/** The feeds of this home, for Settings. */
import Type from 'typebox';
import { type FeedFormat, feedFormats } from '../feeds/feed-formats.ts';
import { type FeedKind, listFeeds } from '../feeds/feed-store.ts';
import { defineRead } from './read.ts';

export interface ShownFeed {
  readonly feed_id: number;
  readonly name: string;
  readonly kind: FeedKind;
  readonly formats: readonly FeedFormat[];
  readonly leaves_out_do_not_mail: boolean;
  readonly made_at: string;
  readonly last_used_at: string | null;
}

const text = Type.String();

export const feeds = defineRead<Record<string, never>, { feeds: ShownFeed[] }>({
  name: 'feeds',
  docs: 'Addresses that spreadsheets read: name, kind, when each was made and last used. Never the address itself, of which only a hash is kept.',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object(
    {
      feeds: Type.Array(
        Type.Object(
          {
            feed_id: Type.Integer(),
            name: text,
            kind: text,
            formats: Type.Array(text),
            leaves_out_do_not_mail: Type.Boolean(),
            made_at: text,
            last_used_at: Type.Union([text, Type.Null()]),
          },
          { additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  run: (_input, { account }) => ({
    feeds: listFeeds(account).map(({ feed_id, name, kind, leaves_out_do_not_mail, made_at, last_used_at }) => ({
      ...{ feed_id, name, kind, leaves_out_do_not_mail, made_at, last_used_at },
      formats: feedFormats[kind],
    })),
  }),
});
