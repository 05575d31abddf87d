/**
 * The only way from a screen to the engine. Operations may be charged and need an action; reads are free. Two
 * transports implement it: fetch (in a browser) and a MessagePort (in the desktop app).
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

interface ChangeDone<Output> {
  readonly data: Output;
  /** What `change('undo', { entry })` reverts, and the toast's text; null: nothing to undo. */
  readonly undo: { readonly entry: number; readonly sentence: string } | null;
}

interface CallOptions {
  /** One per button press (`newAction`); the same again for a retry of that press. */
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
  /** @throws ClientError; the signal's reason if aborted */
  read<Name extends ReadName>(name: Name, input: ReadInputOf<Name>, options?: ReadOptions): Promise<ReadOutputOf<Name>>;
  /**
   * A free write: notes, lists, saved searches, jobs. A signal ends only the waiting.
   * @throws ClientError; the signal's reason if aborted
   */
  change<Name extends ChangeName>(
    name: Name,
    input: ChangeInputOf<Name>,
    options?: ReadOptions,
  ): Promise<ChangeDone<ChangeOutputOf<Name>>>;
  /** One tile from the engine; empty if it has nothing there. @throws ClientError; the signal's reason */
  tile(source: string, z: number, x: number, y: number, options?: ReadOptions): Promise<ArrayBuffer>;
  /** A photo's original, to be shown by `URL.createObjectURL`. @throws ClientError not_found; the signal's reason */
  photo(id: number, options?: ReadOptions): Promise<Blob>;
  /** A link to the sample county in its own window. @throws ClientError not_found if none is offered */
  openSample(): Promise<string>;
  /** A link to the user's own home, created if missing. @throws ClientError not_found if none is known */
  openHome(): Promise<string>;
}

/** The codes of spec/errors.ts, plus two of the connection: no answer, or the window's link has expired. */
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
