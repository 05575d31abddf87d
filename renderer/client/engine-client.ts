/**
 * The one way from a screen to the engine. Operations may be charged and need an action; reads are free. Two transports
 * have this shape: fetch (in a browser) and a MessagePort (in the desktop app).
 */
import type { InputOf, OperationName, OutputOf } from '../../engine/operations/index.ts';
import type { ReadInputOf, ReadName, ReadOutputOf } from '../../engine/reads/index.ts';
import type { ChangeInputOf, ChangeName, ChangeOutputOf } from '../../engine/work/index.ts';

export interface Charged<Output> {
  readonly data: Output;
  /** Tokens charged; 0 for a repeat of the same action. */
  readonly tokens: number;
  readonly requestId: string;
}

export interface ChangeDone<Output> {
  readonly data: Output;
  /** What `change('undo', { entry })` takes back, and what the toast says; null: nothing to undo. */
  readonly undo: { readonly entry: number; readonly sentence: string } | null;
}

export interface CallOptions {
  /** One per press of a button (`newAction`); the same again when that press is tried again. */
  readonly action: string;
}

export interface ReadOptions {
  readonly signal?: AbortSignal;
}

export interface EngineClient {
  /** @throws ClientError */
  call<Name extends OperationName>(
    operation: Name,
    input: InputOf<Name>,
    options: CallOptions,
  ): Promise<Charged<OutputOf<Name>>>;
  /** @throws ClientError; the signal's reason when it was aborted */
  read<Name extends ReadName>(name: Name, input: ReadInputOf<Name>, options?: ReadOptions): Promise<ReadOutputOf<Name>>;
  /**
   * A free write: notes, lists, saved searches, jobs. A signal ends the waiting, not what was done.
   * @throws ClientError; the signal's reason when it was aborted
   */
  change<Name extends ChangeName>(
    name: Name,
    input: ChangeInputOf<Name>,
    options?: ReadOptions,
  ): Promise<ChangeDone<ChangeOutputOf<Name>>>;
  /** One tile as the engine makes it; empty where there is nothing. @throws ClientError; the signal's reason */
  tile(source: string, z: number, x: number, y: number, options?: ReadOptions): Promise<ArrayBuffer>;
  /** A link to the sample county in a window of its own. @throws ClientError not_found where none is offered */
  openSample(): Promise<string>;
  /** A link to the user's own home, which is made where there is none. @throws ClientError not_found where none is known */
  openHome(): Promise<string>;
}

/** The codes of spec/errors.ts, and two of the connection: no answer, or the window's link has ended. */
export class ClientError extends Error {
  readonly code: string;
  readonly requestId: string | null;
  readonly details: Readonly<Record<string, string[]>> | null;

  constructor(
    code: string,
    message: string,
    more: { requestId?: string | null; details?: Record<string, string[]> | null } = {},
  ) {
    super(message);
    this.name = 'ClientError';
    this.code = code;
    this.requestId = more.requestId ?? null;
    this.details = more.details ?? null;
  }
}

export const newAction = (): string => crypto.randomUUID();
