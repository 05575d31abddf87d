/** The engine for every component, and reads as queries: the latest input wins, the previous request is canceled. */
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import type { ReadInputOf, ReadName, ReadOutputOf } from '../../engine/reads/index.ts';
import type { ClientError, EngineClient } from '../client/engine-client.ts';

const Client = createContext<EngineClient | null>(null);

export const ClientProvider = ({ client, children }: { client: EngineClient; children: ReactNode }) => (
  <Client value={client}>{children}</Client>
);

export function useClient(): EngineClient {
  const client = useContext(Client);
  if (!client) throw new Error('useClient must be used inside ClientProvider');
  return client;
}

export const readKey = <Name extends ReadName>(name: Name, input: ReadInputOf<Name>) => [name, input] as const;

interface UseReadOptions {
  /** While false nothing is queried; the last answer stays. */
  readonly when?: boolean;
  /** Answers stay valid until the data changes (`refreshData`); for reads that typing does not affect. */
  readonly isLasting?: boolean;
}

export function useRead<Name extends ReadName>(
  name: Name,
  input: ReadInputOf<Name>,
  { when = true, isLasting = false }: UseReadOptions = {},
): UseQueryResult<ReadOutputOf<Name>, ClientError> {
  const client = useClient();
  return useQuery<ReadOutputOf<Name>, ClientError>({
    queryKey: readKey(name, input),
    queryFn: ({ signal }) => client.read(name, input, { signal }),
    enabled: when,
    placeholderData: keepPreviousData as never,
    staleTime: isLasting ? Number.POSITIVE_INFINITY : 30_000,
  });
}

/** The value once it has rested for this long: typing meanwhile starts no query. */
export function useRested<Value>(value: Value, milliseconds: number): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return rested;
}

/** The value at once after a rest, and during continuous changes (a slider, typing) at most once per interval. */
export function usePaced<Value>(value: Value, milliseconds: number): Value {
  const [paced, setPaced] = useState(value);
  const changedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const wait = changedAt.current + milliseconds - performance.now();
    const change = () => {
      changedAt.current = performance.now();
      setPaced(value);
    };
    if (wait <= 0) return change();
    const timer = setTimeout(change, wait);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return paced;
}

/** True once `isWaiting` has lasted 300 ms: shorter waits stay invisible. */
export function useLate(isWaiting: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return setLate(false);
    const timer = setTimeout(() => setLate(true), 300);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isWaiting && isLate;
}
