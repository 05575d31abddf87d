/**
 * One press of a priced button. During a call a second press does nothing; after a lost answer the next press is the
 * same action, which the engine never charges twice. The state outlives its tab.
 */
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { InputOf, OperationName, OutputOf } from '../../engine/operations/index.ts';
import { type Charged, ClientError, newAction } from '../client/engine-client.ts';
import { useClient, useRead } from './client-context.tsx';
import { createStore, useStore } from './store.ts';

interface Run {
  readonly isRunning: boolean;
  readonly error: ClientError | null;
  /** Kept until the press is answered with data. */
  readonly action: string | null;
  readonly answer: Charged<unknown> | null;
}

const idle: Run = { isRunning: false, error: null, action: null, answer: null };
const runs = createStore<Readonly<Record<string, Run>>>(null, {});

export interface PricedCall<Output> {
  readonly isRunning: boolean;
  readonly error: ClientError | null;
  /** The last answer in this window. */
  readonly answer: Charged<Output> | null;
  readonly press: () => void;
}

const runOf = (key: string): Run => runs.get()[key] ?? idle;
const setRun = (key: string, change: Partial<Run>): void => runs.set({ [key]: { ...runOf(key), ...change } });

export const asClientError = (error: unknown): ClientError =>
  error instanceof ClientError ? error : new ClientError('internal_error', String(error));

/** @param changed reads to refresh after the answer; the tokens always are */
export function usePricedCall<Name extends OperationName>(
  operation: Name,
  input: InputOf<Name>,
  changed: readonly QueryKey[],
): PricedCall<OutputOf<Name>> {
  const client = useClient();
  const queries = useQueryClient();
  const key = JSON.stringify([operation, input]);
  const { isRunning, error, answer } = useStore(runs)[key] ?? idle;

  const press = async (): Promise<void> => {
    if (runOf(key).isRunning) return;
    const action = runOf(key).action ?? newAction();
    setRun(key, { isRunning: true, error: null, action });
    try {
      const answered = await client.call(operation, input, { action });
      setRun(key, { answer: answered, action: null });
    } catch (thrown) {
      setRun(key, { error: asClientError(thrown) });
    }
    await Promise.all([['home'], ...changed].map((queryKey) => queries.invalidateQueries({ queryKey })));
    setRun(key, { isRunning: false });
  };

  return {
    isRunning,
    error,
    answer: answer as Charged<OutputOf<Name>> | null,
    press: () => void press(),
  };
}

/** The maximum price of an operation, from the engine's own table; null while unknown. */
export function usePrice(operation: OperationName): number | null {
  const { data: home } = useRead('home', {}, { isLasting: true });
  return home?.prices.find((price) => price.operation === operation)?.tokens ?? null;
}
