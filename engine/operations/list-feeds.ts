/** GET feeds/: the feeds of this home, without their addresses. */
import Type from 'typebox';
import { noInput } from '../spec/value-schemas.ts';
import { feedTerms, listedFeedSchema, listedFeeds } from './feed-fields.ts';
import { defineOperation, free } from './operation.ts';

export const listFeedsOperation = defineOperation({
  name: 'list_feeds',
  summary: 'List the feeds',
  docs: 'A plain array of the feeds, newest first. Addresses are not in it: only their hashes are stored.',
  http: { method: 'GET', path: 'feeds/', status: 200 },
  ...feedTerms,
  ...free,
  input: noInput,
  output: Type.Array(listedFeedSchema),
  run: (_input, { account }) => listedFeeds(account),
  examples: [{ title: 'All feeds', input: {} }],
});
