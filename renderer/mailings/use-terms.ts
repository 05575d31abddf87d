/** The terms of a draft as they are typed: written once typing rests, or at once where the focus leaves them. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { ClientError } from '../client/engine-client.ts';
import { useClient } from '../state/client-context.tsx';
import { tryChange } from '../work/make-change.ts';
import type { Mailing, OfferRule } from './mailing-state.ts';

const restMilliseconds = 500;

interface Terms {
  readonly rule: OfferRule | null;
  readonly quiet_days: number;
}

interface TypedTerms extends Terms {
  /** Why the engine refused them. */
  readonly problem: string | null;
  readonly set: (more: Partial<Terms>) => void;
  /** Writes what waits. */
  readonly flush: () => void;
}

export function useTerms({ mailing_id: id, rule, quiet_days }: Mailing): TypedTerms {
  const client = useClient();
  // What was refused stays, to be corrected.
  const [typed, setTyped] = useState<Partial<Terms>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const waiting = useRef<Partial<Terms> | null>(null);
  const flush = useCallback(() => {
    const given = waiting.current;
    if (!given) return;
    waiting.current = null;
    tryChange(client, 'change_mailing', { mailing_id: id, ...given }).then(
      () => {
        setProblem(null);
        if (!waiting.current) setTyped({});
      },
      (error: unknown) => setProblem(wordsOf(error)),
    );
  }, [client, id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each key begins the rest anew
  useEffect(() => {
    const timer = setTimeout(flush, restMilliseconds);
    return () => clearTimeout(timer);
  }, [typed, flush]);
  useEffect(() => flush, [flush]);
  const set = (more: Partial<Terms>) => {
    waiting.current = { ...typed, ...waiting.current, ...more };
    setTyped(waiting.current);
  };
  return { rule, quiet_days, ...typed, problem, set, flush };
}

function wordsOf(error: unknown): string {
  const details = error instanceof ClientError ? Object.values(error.details ?? {}).flat() : [];
  if (details.length > 0) return `Not counted yet: ${details.join('; ')}.`;
  return error instanceof Error ? error.message : String(error);
}
