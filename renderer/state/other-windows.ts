/**
 * Synchronizes several windows on one home: when one changes or pays for something, the others reload it. A channel of
 * the browser reaches the windows of one origin, which is one home.
 */
import type { QueryClient } from '@tanstack/react-query';
import type { EngineClient } from '../client/engine-client.ts';
import { refreshWork } from '../work/make-change.ts';
import { refreshPaid } from '../work/paid-reads.ts';

/** Several changes in a row cause one refresh. */
const restMilliseconds = 150;

/** Reads of Settings and Usage, which other windows also show. */
const otherReads = new Set(['usage_report', 'api_keys', 'feeds', 'listener']);

/** @returns the client that notifies the other windows */
export function withOtherWindows(client: EngineClient, queries: QueryClient): EngineClient {
  const channel = new BroadcastChannel('platbook');
  let timer: ReturnType<typeof setTimeout> | undefined;
  channel.onmessage = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      void refreshWork();
      refreshPaid(queries);
      void queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => otherReads.has(String(name)) });
    }, restMilliseconds);
  };
  // Spreadsheets, scripts and the command line send no message: refresh the cost when the user comes back from them.
  addEventListener('focus', () => void queries.invalidateQueries({ queryKey: ['home'] }));
  const told = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const done = await answer;
    channel.postMessage('changed');
    return done;
  };
  return {
    ...client,
    call: (operation, input, options) => told(client.call(operation, input, options)),
    change: (name, input, options) => told(client.change(name, input, options)),
  };
}
