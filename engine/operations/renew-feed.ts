/** POST feeds/{feed_id}/renew/: a new address for a feed. */
import { listFeeds, renewFeed } from '../account/feed-store.ts';
import { EngineError } from '../spec/errors.ts';
import { feedIdInput, feedMade, feedMadeSchema, feedTerms } from './feed-fields.ts';
import { defineOperation, free } from './operation.ts';

export const renewFeedOperation = defineOperation({
  name: 'renew_feed',
  summary: 'Give a feed a new address',
  docs: 'Gives a feed a new address, shown once; the old one stops working.',
  http: { method: 'POST', path: 'feeds/{feed_id}/renew/', status: 200 },
  ...feedTerms,
  ...free,
  input: feedIdInput,
  output: feedMadeSchema,
  run: ({ feed_id: id }, { account }) => {
    const feed = listFeeds(account).find((one) => one.feed_id === id);
    if (!feed) throw new EngineError('not_found', `There is no feed ${id}, or it is already revoked.`);
    return feedMade(account, renewFeed(account, id), feed);
  },
  // None: examples run on the sample, which has no feed.
  examples: [],
});
