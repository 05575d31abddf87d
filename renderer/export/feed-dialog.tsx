/** The address of a feed, and how programs read it. */
import { Copy, PlugZap } from 'lucide-react';
import { useState } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { standardPort } from '../../engine/spec/standard-port.ts';
import { DialogWindow } from '../frame/overlay.tsx';
import { copyText } from '../parts/clipboard.ts';
import { Segments } from '../parts/segments.tsx';
import { ErrorState } from '../parts/states.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { toast } from '../state/toasts.ts';
import { exportView, type ShownFeed } from './export-state.ts';
import { type FeedSnippet, tableSnippets, valueSnippets } from './feed-snippets.ts';

export function FeedDialog() {
  const { feed: shown } = useStore(exportView);
  const close = () => exportView.set({ feed: null });
  return (
    <DialogWindow
      title={`Feed: ${shown?.name}`}
      isTitled
      isOpen={shown !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : close())}
    >
      {shown ? <FeedAddress key={shown.paths[0]} feed={shown} onClose={close} /> : null}
    </DialogWindow>
  );
}

/** A feed is read through the listener, which may be off in the desktop app: the address uses its current place. */
function FeedAddress({ feed, onClose }: { feed: ShownFeed; onClose: () => void }) {
  const { data: listener, error, refetch } = useRead('listener', {});
  if (error) return <ErrorState title="The address could not be read" error={error} onRetry={() => void refetch()} />;
  if (!listener) return null;
  const base = listener.url ?? `http://127.0.0.1:${listener.port || standardPort}`;
  return (
    <>
      {listener.url === null ? <ListenerOff listener={listener} onSwitched={() => void refetch()} /> : null}
      <FeedWords
        urls={feed.paths.map((path) => `${base}${path}`)}
        leavesOutDoNotMail={feed.leavesOutDoNotMail}
        onClose={onClose}
      />
    </>
  );
}

function ListenerOff({
  listener: { port, problem },
  onSwitched,
}: {
  listener: ReadOutputOf<'listener'>;
  onSwitched: () => void;
}) {
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const switchOn = async () => {
    setBusy(true);
    try {
      await client.change('set_listener', { on: true, port: port || standardPort });
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
    onSwitched();
  };
  return (
    <div className="note warn" role="alert">
      <PlugZap aria-hidden />
      <span>
        <b>The HTTP API is off, so nothing answers at this address yet.</b> {problem}
      </span>
      <button type="button" className="button primary" disabled={isBusy} onClick={() => void switchOn()}>
        Switch it on
      </button>
    </div>
  );
}

interface FeedWordsProps {
  readonly urls: readonly string[];
  readonly leavesOutDoNotMail: boolean;
  readonly onClose: () => void;
}

function FeedWords({ urls, leavesOutDoNotMail, onClose }: FeedWordsProps) {
  const url = urls[0] ?? '';
  const snippets = url.endsWith('.txt') ? valueSnippets : tableSnippets;
  const [id, setId] = useState(snippets[0]?.id ?? '');
  const snippet = snippets.find((one) => one.id === id) ?? (snippets[0] as FeedSnippet);
  const text = snippet.text(url);
  return (
    <div className="dialog-form">
      <p>
        Anyone who knows this address can read this one result, on this computer only, until you revoke it in Settings.
        It is shown only now. Reading it costs what its search costs, at most once a day while the data stays the same.
        {leavesOutDoNotMail ? ' Do not mail is left out each time it is read.' : ''}
      </p>
      {urls.map((one) => (
        <div className="feed-url" key={one}>
          <code>{one}</code>
          <button type="button" className="button icon" aria-label={`Copy ${one}`} onClick={() => copyText(one)}>
            <Copy aria-hidden />
          </button>
        </div>
      ))}
      <Segments
        label="Program"
        value={snippet.id}
        choices={snippets.map((one) => ({ value: one.id, label: one.label }))}
        onChange={setId}
      />
      <p className="small-text quieter">{snippet.docs}</p>
      <pre className="feed-snippet">{text}</pre>
      <div className="button-row">
        <button type="button" className="button" onClick={() => copyText(text)}>
          <Copy aria-hidden />
          Copy for {snippet.label}
        </button>
        <button type="button" className="button primary" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  );
}
