/** Who calls an operation with what, which call of theirs it repeats, and the answer. */
import { createHash } from 'node:crypto';
import type { Mode, Repeat } from './account/meter.ts';
import type { AnyOperation, InputOf, OperationName } from './operations/index.ts';
import type { Scope } from './operations/operation.ts';

/** The caller of an operation, and how the call is charged. */
export interface Caller {
  readonly mode: Mode;
  readonly requestId?: string;
  /** 1 to 128 characters: a repeat with the same key and input within 24 hours runs again uncharged. */
  readonly idempotencyKey?: string;
  readonly keyId?: number;
  /** Absent: all scopes (the owner of the machine, in process). */
  readonly scopes?: ReadonlySet<Scope>;
  /** Runs like any call and costs nothing: only the headers of its answer are wanted (HEAD). */
  readonly isFree?: true;
  /** Rate limit of the door, called after the checks of plan and scope; throws rate_limited. */
  readonly admit?: () => void;
  /** Makes the door's answer, before the charge: an answer that cannot be made costs nothing. */
  readonly prepare?: (data: unknown, notices: readonly string[]) => void;
  /** Receives sentences on what to try where nothing is found; absent: none is looked for. */
  readonly hint?: (...sentences: readonly string[]) => void;
  /** URL of another page (default: `?page=N`). */
  readonly pageLink?: (page: number) => string;
}

/** The input of a call, which may be left out where no field is required, and its caller. */
export type CallInput<Name extends OperationName> =
  Record<never, never> extends InputOf<Name>
    ? [input?: InputOf<Name>, caller?: Caller]
    : [input: InputOf<Name>, caller?: Caller];

export interface Answer<Output> {
  readonly data: Output;
  /** Tokens charged for this call. */
  readonly tokens: number;
  readonly requestId: string;
  /** Facts the answer itself does not show, like counties that are not loaded. Usually none. */
  readonly notices: readonly string[];
}

/**
 * An idempotency key stands for one input, hence for one page; further pages get derived keys. They hold a hash, since the
 * caller's key may already be 128 characters long and no key of the caller must equal a derived one.
 */
export function callerOfPage(caller: Caller, page: number): Caller {
  const { idempotencyKey: key } = caller;
  if (key === undefined || page === 1) return caller;
  return { ...caller, idempotencyKey: `page ${page} of ${createHash('sha256').update(key).digest('hex')}` };
}

export function repeatOf(operation: AnyOperation, input: Record<string, unknown>, caller: Caller): Repeat | null {
  const key = caller.idempotencyKey;
  if (key === undefined || operation.meteringKey === null) return null;
  const ordered = Object.keys(input)
    .sort()
    .map((field) => [field, input[field]]);
  return {
    key,
    operation: operation.name,
    inputHash: createHash('sha256').update(JSON.stringify(ordered)).digest('hex'),
  };
}

/** The service's limits hold for callers of its API; traces in the window, of a person's own contacts, have none. */
export const limitOf = ({ limit }: AnyOperation, { mode }: Caller): AnyOperation['limit'] =>
  mode === 'app' ? undefined : limit;
