/** Settings: the HTTP API, on or off, its port, and whether it answers. */
import { PlugZap } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReadOutputOf } from '../../../engine/reads/index.ts';
import { standardPort } from '../../../engine/spec/standard-port.ts';
import { copyText } from '../../parts/clipboard.ts';
import { NumberField } from '../../parts/number-field.tsx';
import { Segments } from '../../parts/segments.tsx';
import { useClient, useRead } from '../../state/client-context.tsx';
import { toast } from '../../state/toasts.ts';

type Listener = ReadOutputOf<'listener'>;

export function ApiPart() {
  const { data, refetch } = useRead('listener', {});
  if (!data) return null;
  return <ApiLines listener={data} onChanged={() => refetch()} />;
}

function ApiLines({ listener, onChanged }: { listener: Listener; onChanged: () => Promise<unknown> }) {
  const client = useClient();
  const [port, setPort] = useState<number | undefined>(listener.port || standardPort);
  // The port chosen for `any free port`.
  useEffect(() => setPort(listener.port || standardPort), [listener.port]);
  const [isBusy, setBusy] = useState(false);
  const [tested, setTested] = useState<{ readonly works: boolean; readonly words: string } | null>(null);
  const work = async (run: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setTested(null);
    try {
      await run();
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  const set = (on: boolean, wanted: number) =>
    void work(async () => {
      await client.change('set_listener', { on, port: wanted });
      await onChanged();
    });
  const test = () => void work(async () => setTested(await client.read('test_listener', {})));
  return (
    <section className="option-lines" aria-label="HTTP API">
      <h2>HTTP API</h2>
      <p className="quieter small-text">
        For spreadsheets and scripts on this computer. It listens only on 127.0.0.1: no other machine can reach it.
      </p>
      <Problem listener={listener} port={port ?? standardPort} onTry={(wanted) => set(true, wanted)} />
      <div>
        <span>The API is</span>
        {listener.switchable ? (
          <Segments
            label="The API is"
            value={listener.on ? 'on' : 'off'}
            choices={[
              { value: 'on', label: 'on' },
              { value: 'off', label: 'off' },
            ]}
            disabled={isBusy}
            onChange={(next) => set(next === 'on', port ?? standardPort)}
          />
        ) : (
          <span className="quieter">{listener.on ? 'on, because it serves this page' : 'off'}</span>
        )}
      </div>
      {listener.switchable ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (port !== undefined) set(true, port);
          }}
        >
          <span>Port</span>
          <span className="line port-line">
            <NumberField label="Port" value={port} isWhole minimum={0} maximum={65_535} onChange={setPort} />
            <button type="submit" className="button" disabled={isBusy || port === undefined}>
              Use this port
            </button>
          </span>
        </form>
      ) : null}
      {listener.url === null ? null : (
        <div>
          <span className="mono">{listener.url}/api/public/v1/</span>
          <span className="line">
            <button type="button" className="button" onClick={() => copyText(`${listener.url}/api/public/v1/`)}>
              Copy
            </button>
            <button type="button" className="button" disabled={isBusy} onClick={test}>
              Test
            </button>
          </span>
        </div>
      )}
      {listener.url === null ? null : (
        <p className="quieter small-text">
          Assistants (MCP) connect to <span className="mono">{listener.url}/mcp</span> with a key.
        </p>
      )}
      <p role="status" className={tested?.works === false ? 'problem' : 'small-text test-words'}>
        {tested?.words ?? ''}
      </p>
    </section>
  );
}

/** The app works without it: shows the problem, and offers the next port. */
function Problem({ listener, port, onTry }: { listener: Listener; port: number; onTry: (port: number) => void }) {
  if (listener.problem === null) return null;
  const next = port >= 65_535 ? 0 : port + 1;
  return (
    <>
      <p className="note warn" role="alert">
        <PlugZap aria-hidden />
        <span>
          <b>The API is off.</b> {listener.problem} Everything in this window works.
        </span>
      </p>
      <p className="line">
        <button type="button" className="button primary" onClick={() => onTry(next)}>
          Use {next === 0 ? 'any free port' : next}
        </button>
        <button type="button" className="button" onClick={() => onTry(port)}>
          Try again
        </button>
      </p>
    </>
  );
}
