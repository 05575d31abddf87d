/** Settings: the addresses that spreadsheets read. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ReadOutputOf } from '../../../engine/reads/index.ts';
import { exportView } from '../../export/export-state.ts';
import { showFeed } from '../../export/feed-state.ts';
import { formatDate, formatTime } from '../../parts/format.ts';
import { useClient, useRead } from '../../state/client-context.tsx';
import { useStore } from '../../state/store.ts';
import { toast } from '../../state/toasts.ts';

type Feed = ReadOutputOf<'feeds'>['feeds'][number];

const kinds: Record<Feed['kind'], string> = { search: 'search', comps: 'comps', value: 'value' };

export function FeedsPart() {
  const { data, refetch } = useRead('feeds', {});
  const { feedsMade: made } = useStore(exportView);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new feed adds a row
  useEffect(() => void refetch(), [made]);
  return (
    <section className="option-lines" aria-label="Feeds">
      <h2>Feeds</h2>
      {data?.feeds.length === 0 ? (
        <p className="quieter">
          None yet. A feed is an address that LibreOffice, Excel or QGIS reads again and again: search in Explore, then
          Export, Live feed; comps and values have theirs beside them.
        </p>
      ) : null}
      {data?.feeds.map((feed) => (
        <FeedLine key={feed.feed_id} feed={feed} />
      ))}
    </section>
  );
}

const usedWords = ({ last_used_at: at }: Feed): string =>
  at === null ? 'never used' : `last used ${formatDate(at)}, ${formatTime(at)}`;

function FeedLine({ feed }: { feed: Feed }) {
  const client = useClient();
  const queries = useQueryClient();
  const change = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      await queries.invalidateQueries({ queryKey: ['feeds'] });
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
  };
  const renew = () =>
    void change(async () => showFeed(feed.name, (await client.change('renew_feed', { feed_id: feed.feed_id })).data));
  const revoke = () =>
    void change(async () => {
      await client.change('revoke_feed', { feed_id: feed.feed_id });
      toast(`The feed “${feed.name}” is revoked: its address no longer works.`);
    });
  return (
    <div>
      <span>
        {feed.name}{' '}
        <span className="small-text quieter">
          {kinds[feed.kind]}, {feed.formats.map((format) => `.${format}`).join(' ')},{' '}
          {feed.leaves_out_do_not_mail ? 'Do not mail left out, ' : ''}made {formatDate(feed.made_at)},{' '}
          {usedWords(feed)}
        </span>
      </span>
      <span className="button-row">
        <button type="button" className="button" onClick={renew}>
          New address
        </button>
        <button type="button" className="button" onClick={revoke}>
          Revoke
        </button>
      </span>
    </div>
  );
}
