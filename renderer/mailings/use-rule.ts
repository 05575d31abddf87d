/** The rule as it is typed: written once typing rests, or at once where the focus leaves it. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { ClientError } from '../client/engine-client.ts';
import { useClient } from '../state/client-context.tsx';
import { tryChange } from '../work/make-change.ts';
import type { Mailing, OfferRule } from './mailing-state.ts';

const restMilliseconds = 500;

interface TypedRule {
  readonly rule: OfferRule | null;
  /** Why the engine refused it. */
  readonly problem: string | null;
  readonly set: (rule: OfferRule | null) => void;
  /** Writes what waits. */
  readonly flush: () => void;
}

export function useRule({ mailing_id: id, rule: standing }: Mailing): TypedRule {
  const client = useClient();
  const [typed, setTyped] = useState<{ readonly rule: OfferRule | null } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const waiting = useRef<typeof typed>(null);
  const flush = useCallback(() => {
    const given = waiting.current;
    if (!given) return;
    waiting.current = null;
    const settle = (words: string | null) => {
      setProblem(words);
      // What was refused stays, to be corrected.
      if (words === null) setTyped((now) => (now === given ? null : now));
    };
    tryChange(client, 'change_mailing', { mailing_id: id, rule: given.rule }).then(
      () => settle(null),
      (error: unknown) => settle(wordsOf(error)),
    );
  }, [client, id]);
  useEffect(() => {
    if (!typed) return;
    const timer = setTimeout(flush, restMilliseconds);
    return () => clearTimeout(timer);
  }, [typed, flush]);
  useEffect(() => flush, [flush]);
  const set = (rule: OfferRule | null) => {
    waiting.current = { rule };
    setTyped(waiting.current);
  };
  return { rule: typed ? typed.rule : standing, problem, set, flush };
}

function wordsOf(error: unknown): string {
  const details = error instanceof ClientError ? Object.values(error.details ?? {}).flat() : [];
  if (details.length > 0) return `Not counted yet: ${details.join('; ')}.`;
  return error instanceof Error ? error.message : String(error);
}
