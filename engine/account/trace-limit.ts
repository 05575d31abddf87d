/**
 * Limits skip traces to 20 in any 60 seconds, over both endpoints, all doors but the window, all processes of a home, and
 * across restarts: each trace is a row of account.sqlite, written before it runs.
 *
 * A window is [t, t + 60 s): the 21st may follow the first after exactly a minute. After the clock is set back, rows in
 * the future would count until it catches up. Rows more than a minute ahead are therefore dated now: the wait is at most
 * two minutes, and a small correction of the clock forgets no row.
 */
import { EngineError } from '../spec/errors.ts';
import type { AccountStore } from '../store/account-store.ts';

/** Skip traces per window. */
export const tracesPerMinute = 20;
const windowMilliseconds = 60_000;

/** The time, in milliseconds since 1970, at which the next trace fits; null if one fits now. */
function fullUntil({ file }: AccountStore, now: number): number | null {
  const standing = file.get<{ called_at: number }>(
    'SELECT called_at FROM trace_calls WHERE called_at > ? ORDER BY called_at DESC LIMIT 1 OFFSET ?',
    now - windowMilliseconds,
    tracesPerMinute - 1,
  );
  return standing ? standing.called_at + windowMilliseconds : null;
}

function rateLimited(until: number, now: number): EngineError {
  const retryAfterSeconds = Math.max(1, Math.ceil((until - now) / 1000));
  const message = `At most ${tracesPerMinute} skip traces fit in a minute, all doors but the window together; try again in ${retryAfterSeconds} s. Nothing was charged.`;
  return new EngineError('rate_limited', message, { retryAfterSeconds, limit: tracesPerMinute });
}

/** Dates rows more than a minute ahead of the clock to now. */
function pullBack({ file }: AccountStore, now: number): void {
  const latest = file.get<{ called_at: number | null }>('SELECT max(called_at) AS called_at FROM trace_calls');
  if ((latest?.called_at ?? 0) <= now + windowMilliseconds) return;
  file.run('UPDATE trace_calls SET called_at = ? WHERE called_at > ?', now, now + windowMilliseconds);
}

/**
 * Refuses before any work is done; takes none of the 20.
 * @throws EngineError rate_limited with retryAfterSeconds
 */
export function refuseWhenFull(account: AccountStore, now: () => Date): void {
  const time = now().getTime();
  pullBack(account, time);
  const until = fullUntil(account, time);
  if (until !== null) throw rateLimited(until, time);
}

/**
 * Takes one of the 20: checks and writes in one IMMEDIATE transaction, and reads the clock inside it, so that waiting for
 * another process's lock does not backdate the call.
 * @throws EngineError rate_limited with retryAfterSeconds; none is taken then
 */
export function take(account: AccountStore, now: () => Date): void {
  const { file } = account;
  const refusal = file.transaction(() => {
    const time = now().getTime();
    pullBack(account, time);
    const until = fullUntil(account, time);
    if (until !== null) return rateLimited(until, time);
    file.run('DELETE FROM trace_calls WHERE called_at <= ?', time - windowMilliseconds);
    file.run('INSERT INTO trace_calls (called_at) VALUES (?)', time);
    return null;
  });
  if (refusal) throw refusal;
}

/** For the pipeline: refused before the input is parsed, taken before the run. */
export const traceLimit = { refuseWhenFull, take } as const;
