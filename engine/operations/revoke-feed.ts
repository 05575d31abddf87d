/** DELETE feeds/{feed_id}/: ends a feed. */
import Type from 'typebox';
import { revokeFeed } from '../account/feed-store.ts';
import { feedIdInput, feedTerms } from './feed-fields.ts';
import { defineOperation, free } from './operation.ts';

export const revokeFeedOperation = defineOperation({
  name: 'revoke_feed',
  summary: 'Revoke a feed',
  docs: 'Revokes a feed for good: its address stops working.',
  http: { method: 'DELETE', path: 'feeds/{feed_id}/', status: 204 },
  ...feedTerms,
  ...free,
  input: feedIdInput,
  output: Type.Null(),
  run: ({ feed_id: id }, { account, now }) => {
    revokeFeed(account, id, now());
    return null;
  },
  // None: examples run on the sample, which has no feed.
  examples: [],
});
