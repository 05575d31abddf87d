/** The local plan. A change by Settings or by undo refreshes the tokens in the status bar. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { useRead } from './client-context.tsx';

export function usePlan(): ReadOutputOf<'plan'> | undefined {
  const queries = useQueryClient();
  const { data } = useRead('plan', {});
  const key = data ? `${data.tier} ${data.tokens_included}` : null;
  const before = useRef(key);
  useEffect(() => {
    if (before.current !== null && before.current !== key) void queries.invalidateQueries({ queryKey: ['home'] });
    before.current = key;
  }, [key, queries]);
  return data;
}
