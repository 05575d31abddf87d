/**
 * The life of an engine host, as a pure function: started, pinged, restarted when it ends, given up when it keeps
 * ending. Events carry the time, so tests need no waiting.
 */

export type Phase = 'idle' | 'starting' | 'ready' | 'waiting' | 'refused' | 'given_up' | 'stopping' | 'stopped';

export interface HostState {
  readonly phase: Phase;
  /** Consecutive ends, each before the host was ready for a while. */
  readonly failures: number;
  /** Pings since the last answer. */
  readonly unanswered: number;
  /** When it became ready, in milliseconds of a steady clock. */
  readonly readyAt: number;
}

export type HostEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'pong' }
  | { readonly kind: 'exited' }
  /** The timer requested by an effect. */
  | { readonly kind: 'timer' }
  | { readonly kind: 'stop' };

export type HostEffect =
  | { readonly kind: 'fork' }
  | { readonly kind: 'ping' }
  /** Immediate: SQLite rolls back what was not committed. */
  | { readonly kind: 'kill' }
  | { readonly kind: 'ask_to_stop' }
  /** Replaces the previous timer. */
  | { readonly kind: 'timer'; readonly milliseconds: number }
  | { readonly kind: 'tell'; readonly what: 'ready' | 'down' | 'refused' | 'given_up' | 'stopped' };

/** A first end is usually the only one: the user hardly notices it. */
const delays = [50, 200, 500, 1000, 2000, 5000];
const mostFailures = 8;
/** After this long a ready host counts as working. */
const provenMilliseconds = 60_000;
/** Migrations of a large file take time. */
const startMilliseconds = 180_000;
const pingMilliseconds = 5000;
/** A query is stopped after 2 s, a backtest takes a few: a host silent for 30 s hangs. */
const mostUnanswered = 6;
const stopMilliseconds = 5000;

export const idleHost: HostState = { phase: 'idle', failures: 0, unanswered: 0, readyAt: 0 };

interface HostStep {
  readonly state: HostState;
  readonly effects: readonly HostEffect[];
}

const stay = (state: HostState): HostStep => ({ state, effects: [] });
const timer = (milliseconds: number): HostEffect => ({ kind: 'timer', milliseconds });

const begin = (state: HostState): HostStep => ({
  state: { ...state, phase: 'starting', unanswered: 0 },
  effects: [{ kind: 'fork' }, timer(startMilliseconds)],
});

/** The next state after an event, with its effects. Events without meaning in a phase change nothing. */
export function nextHostStep(state: HostState, event: HostEvent, now: number): HostStep {
  switch (event.kind) {
    case 'start':
      return ['idle', 'refused', 'given_up', 'stopped'].includes(state.phase) ? begin(idleHost) : stay(state);
    case 'ready':
      if (state.phase !== 'starting') return stay(state);
      return {
        state: { ...state, phase: 'ready', unanswered: 0, readyAt: now },
        effects: [{ kind: 'tell', what: 'ready' }, timer(pingMilliseconds)],
      };
    case 'refused':
      if (state.phase !== 'starting') return stay(state);
      return {
        state: { ...state, phase: 'refused' },
        effects: [{ kind: 'kill' }, { kind: 'tell', what: 'refused' }],
      };
    case 'pong':
      return stay({ ...state, unanswered: 0 });
    case 'exited':
      return afterExit(state, now);
    case 'timer':
      return afterTimer(state);
    case 'stop':
      return stop(state);
  }
}

function afterExit(state: HostState, now: number): HostStep {
  if (state.phase === 'stopping') {
    return { state: { ...state, phase: 'stopped' }, effects: [{ kind: 'tell', what: 'stopped' }] };
  }
  if (state.phase !== 'starting' && state.phase !== 'ready') return stay(state);
  const wasProven = state.phase === 'ready' && now - state.readyAt >= provenMilliseconds;
  const failures = wasProven ? 1 : state.failures + 1;
  const down: HostEffect = { kind: 'tell', what: 'down' };
  if (failures >= mostFailures) {
    return { state: { ...state, phase: 'given_up', failures }, effects: [down, { kind: 'tell', what: 'given_up' }] };
  }
  const delay = delays[Math.min(failures, delays.length) - 1] ?? 0;
  return { state: { ...state, phase: 'waiting', failures }, effects: [down, timer(delay)] };
}

function afterTimer(state: HostState): HostStep {
  if (state.phase === 'waiting') return begin(state);
  // Its end comes as an event, which starts it again.
  if (state.phase === 'starting' || state.phase === 'stopping') return { state, effects: [{ kind: 'kill' }] };
  if (state.phase !== 'ready') return stay(state);
  if (state.unanswered >= mostUnanswered) return { state, effects: [{ kind: 'kill' }] };
  return {
    state: { ...state, unanswered: state.unanswered + 1 },
    effects: [{ kind: 'ping' }, timer(pingMilliseconds)],
  };
}

function stop(state: HostState): HostStep {
  if (state.phase === 'starting' || state.phase === 'ready') {
    return { state: { ...state, phase: 'stopping' }, effects: [{ kind: 'ask_to_stop' }, timer(stopMilliseconds)] };
  }
  if (state.phase === 'stopping' || state.phase === 'stopped') return stay(state);
  return { state: { ...state, phase: 'stopped' }, effects: [{ kind: 'tell', what: 'stopped' }] };
}
