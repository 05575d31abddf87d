/** The feeds of this home, for Settings. */
import Type from 'typebox';
import { listedFeedSchema, listedFeeds } from '../operations/feed-fields.ts';
import { noInput, strict } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

export const feeds = defineRead({
  name: 'feeds',
  docs: 'Feeds of spreadsheets: name, kind, and when each was made and last used. Never the address itself: only its hash is stored.',
  input: noInput,
  output: Type.Object({ feeds: Type.Array(listedFeedSchema) }, strict),
  run: (_input, { account }) => ({
    feeds: listedFeeds(account),
  }),
});
