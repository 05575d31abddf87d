/** Unfinished runs of a list: progress, cost so far, and what they wait for. */

import { useQueryClient } from '@tanstack/react-query';
import { Pause, Play, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { formatNumber, plural } from '../parts/format.ts';
import { IconButton } from '../parts/hint.tsx';
import { PricedButton } from '../parts/priced-button.tsx';
import { useClient, useRead } from '../state/client-context.tsx';
import { makeChange, refreshWork } from '../work/make-change.ts';
import { refreshPaid } from '../work/paid-reads.ts';
import type { Run } from './types.ts';

const titles: Readonly<Record<Run['kind'], string>> = { values: 'Values', phones: 'Phones' };

const lookMilliseconds = 700;

/** Polls during a run, and reloads the rows it has filled. */
function useRuns(listId: number): readonly Run[] {
  const { data, isPlaceholderData, refetch } = useRead('list_runs', { list_id: listId }, { isLasting: true });
  const queries = useQueryClient();
  const runs = isPlaceholderData ? [] : (data ?? []);
  const isRunning = runs.some(({ state }) => state === 'running');
  const done = runs.reduce((sum, run) => sum + run.done, 0);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void refetch(), lookMilliseconds);
    return () => clearInterval(timer);
  }, [isRunning, refetch]);
  const before = useRef({ done, count: runs.length });
  useEffect(() => {
    const was = before.current;
    before.current = { done, count: runs.length };
    if (was.done === done && was.count === runs.length) return;
    refreshPaid(queries);
    if (runs.length < was.count) void refreshWork();
  }, [done, runs.length, queries]);
  return runs;
}

export function RunStrips({ listId }: { listId: number }) {
  const runs = useRuns(listId);
  if (runs.length === 0) return null;
  return (
    <div className="runs">
      {runs.map((run) => (
        <Strip key={run.run_id} run={run} />
      ))}
    </div>
  );
}

function Strip({ run }: { run: Run }) {
  const client = useClient();
  const { run_id: id, kind, state, done, total, tokens, most_tokens: most } = run;
  const input = { run_id: id };
  const title = titles[kind];
  return (
    <section className="run" aria-label={title}>
      <div className="line">
        <b className="strong">{title}</b>
        <span className="quieter num">
          {formatNumber(done)} of {formatNumber(total)}
        </span>
        <span className="grow" />
        {state === 'running' ? (
          <span className="quieter num small-text">
            used {formatNumber(tokens)} of at most {formatNumber(most)}
          </span>
        ) : null}
        {state === 'running' ? (
          <IconButton label={`Pause ${title}`} onPress={() => void makeChange(client, 'pause_list_run', input)}>
            <Pause aria-hidden />
          </IconButton>
        ) : (
          <PricedButton
            label="Continue"
            price={most - tokens}
            condition="at most"
            icon={<Play aria-hidden className="small" />}
            onPress={() => void makeChange(client, 'continue_list_run', input)}
          />
        )}
        <IconButton label={`Cancel ${title}`} onPress={() => void makeChange(client, 'cancel_list_run', input)}>
          <X aria-hidden />
        </IconButton>
      </div>
      <div
        className="bar"
        role="progressbar"
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
      >
        <i style={{ width: `${total === 0 ? 100 : (100 * done) / total}%` }} />
      </div>
      <p className="small-text quieter num">{wordsOf(run)}</p>
    </section>
  );
}

/** `about 2 min left; 54 matched; 36 owners left out` */
function wordsOf({ kind, state, found, left_out: leftOut, seconds_left: left, tokens }: Run): string {
  const pace =
    state === 'paused'
      ? `paused; ${formatNumber(tokens)} used so far`
      : left === null
        ? 'begins'
        : `about ${durationWords(left)} left`;
  const outcome =
    kind === 'values'
      ? 'stored on each parcel'
      : [`${formatNumber(found)} matched`, leftOut > 0 ? `${plural(leftOut, 'owner', 'owners')} left out` : '']
          .filter(Boolean)
          .join('; ');
  return `${pace}; ${outcome}`;
}

const durationWords = (seconds: number): string =>
  seconds < 90 ? `${Math.max(1, seconds)} s` : `${formatNumber(Math.round(seconds / 60), 0)} min`;
