/** The feeds of this home, for Settings. */
import Type from 'typebox';
import type { FeedFormat } from '../feeds/feed-formats.ts';
import type { FeedKind } from '../feeds/feed-store.ts';
import { noInput, orNull, strict, type ValueOf } from '../spec/value-schemas.ts';
import { listedFeeds } from '../work/feeds.ts';
import { defineRead } from './read.ts';

const text = Type.String();

const feed = Type.Object(
  {
    feed_id: Type.Integer(),
    name: text,
    kind: Type.Unsafe<FeedKind>(text),
    formats: Type.Array(Type.Unsafe<FeedFormat>(text)),
    leaves_out_do_not_mail: Type.Boolean(),
    made_at: text,
    last_used_at: orNull(text),
  },
  strict,
);
export type ShownFeed = ValueOf<typeof feed>;

export const feeds = defineRead({
  name: 'feeds',
  docs: 'Feeds of spreadsheets: name, kind, and when each was made and last used. Never the address itself: only its hash is stored.',
  input: noInput,
  output: Type.Object({ feeds: Type.Array(feed) }, strict),
  run: (_input, { account }) => ({
    feeds: listedFeeds(account),
  }),
});
