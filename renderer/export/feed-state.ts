/** Creates feeds, and holds the one whose address is shown: only once, because only its hash is stored. */
import type { ChangeInputOf, ChangeOutputOf } from '../../engine/work/index.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { toast } from '../state/toasts.ts';
import { exportView } from './export-state.ts';

type FeedMade = ChangeOutputOf<'make_feed'>;

export const showFeed = (name: string, { paths, leaves_out_do_not_mail: leavesOutDoNotMail }: FeedMade): void =>
  exportView.set(({ feedsMade }) => ({
    feedsMade: feedsMade + 1,
    feed: { name, paths, leavesOutDoNotMail },
  }));

export async function makeFeed(client: EngineClient, feed: ChangeInputOf<'make_feed'>): Promise<void> {
  try {
    showFeed(feed.name, (await client.change('make_feed', feed)).data);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}

/** The maximum price of a feed, for its menu. */
export const feedPriceWords = (tokens: number | null | undefined): string =>
  tokens === null || tokens === undefined ? '' : `uses at most ${tokens.toLocaleString('en-US')} a day`;
