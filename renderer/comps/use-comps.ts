/** Counting comps is free; listing them is one press, one token each, over any number of pages. */
import { useQueryClient } from '@tanstack/react-query';
import { type ClientError, type EngineClient, newAction } from '../client/engine-client.ts';
import { refusal, useRefusal } from '../parts/refused-fields.ts';
import { useClient, useRead, useRested } from '../state/client-context.tsx';
import { asClientError } from '../state/priced-call.ts';
import { createStore, useStore } from '../state/store.ts';
import { type CompsInput, type CompsQuery, compsInput, problemOf } from './comps-query.ts';
import { type FoundComps, foundComps, foundKey, keepFound, type ListedComp, listedComp } from './comps-state.ts';

/** The largest page of list_comps. */
export const pageRows = 500;

interface Run {
  readonly isRunning: boolean;
  readonly error: ClientError | null;
  readonly action: string | null;
  /** The requested number and the rows already there, so that a retry asks for the same. */
  readonly limit: number;
  readonly have: readonly ListedComp[];
}

const idle: Run = { isRunning: false, error: null, action: null, limit: 0, have: [] };
const runs = createStore<Readonly<Record<string, Run>>>(null, {});
const setRun = (key: string, change: Partial<Run>): void =>
  runs.set((all) => ({ [key]: { ...(all[key] ?? idle), ...change } }));

export interface Comps {
  readonly input: CompsInput | null;
  readonly problem: string | null;
  /** Null until counted. */
  readonly count: number | null;
  readonly tokensEach: number | null;
  readonly countError: ClientError | null;
  readonly isRunning: boolean;
  readonly error: ClientError | null;
  /** The paid list for exactly this query; null if there is none. */
  readonly found: FoundComps | null;
  /** @param limit at most this many, the nearest or newest first */
  readonly press: (limit: number) => void;
  /** Lists the comps missing from the current list, and pays only for those. */
  readonly pressRest: () => void;
  /** Maximum price of a retry; null while unknown. */
  readonly retryTokens: number | null;
  readonly retry: () => void;
}

export function useComps(query: CompsQuery): Comps {
  const client = useClient();
  const queries = useQueryClient();
  const refused = useRefusal();
  const input = problemOf(query) === null ? compsInput(query) : null;
  const key = input === null ? '' : foundKey(input);
  const rested = useRested(key, 150);
  const counted = useRead('count_comps', input ?? {}, { when: input !== null && rested === key });
  const isCurrent = counted.isSuccess && !counted.isPlaceholderData;
  const run = useStore(runs)[key] ?? idle;
  const { lists } = useStore(foundComps);

  const found = lists.find((each) => each.key === key) ?? null;

  const start = (limit: number, have: readonly ListedComp[]) => {
    if (input === null || refusal() !== null || (runs.get()[key] ?? idle).isRunning) return;
    void list(client, input, key, limit, have).finally(() => queries.invalidateQueries({ queryKey: ['home'] }));
  };
  return {
    input,
    problem: problemOf(query) ?? refused,
    count: input !== null && isCurrent ? counted.data.count : null,
    tokensEach: counted.data?.tokens_each ?? null,
    countError: input === null ? null : counted.error,
    isRunning: run.isRunning,
    error: run.error,
    found,
    press: (limit) => start(limit, []),
    pressRest: () => found && start(found.count, found.rows),
    retryTokens: counted.data === undefined ? null : (run.limit - run.have.length) * counted.data.tokens_each,
    retry: () => start(run.limit, run.have),
  };
}

/** Page by page; each page's key derives from the press, so a retry pays for no page twice. */
async function list(
  client: EngineClient,
  input: CompsInput,
  key: string,
  limit: number,
  have: readonly ListedComp[],
): Promise<void> {
  const before = runs.get()[key] ?? idle;
  // Another number of rows makes it another press.
  const isSame = before.limit === limit && before.have.length === have.length;
  const action = (isSame && before.action) || newAction();
  setRun(key, { isRunning: true, error: null, action, limit, have });
  const rows = [...have];
  let tokens = 0;
  let count = limit;
  try {
    for (let page = Math.floor(have.length / pageRows) + 1; ; page++) {
      const wire = { ...input, page, page_size: Math.max(1, Math.min(limit, pageRows)) };
      const answer = await client.call('list_comps', wire, { action: `${action}.${page}` });
      count = answer.data.count;
      tokens += answer.tokens;
      rows.push(...answer.data.results.map(listedComp));
      if (answer.data.next === null || rows.length >= limit) break;
    }
    keepFound({ key, at: new Date().toISOString(), tokens, count, rows: withoutRepeats(rows) });
    setRun(key, { isRunning: false, action: null, have: [] });
  } catch (error) {
    setRun(key, { isRunning: false, error: asClientError(error) });
  }
}

/** If comps were imported between two pages, one may appear on both. */
const withoutRepeats = (rows: readonly ListedComp[]): ListedComp[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];
