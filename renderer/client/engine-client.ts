/**
 * The one way from a screen to the engine. Operations may be charged and need an action; reads are free. Two transports
 * have this shape: fetch (in a browser) and a MessagePort (in the desktop app).
 */
import type { InputOf, OperationName, OutputOf } from '../../engine/operations/index.ts';
import type { ReadInputOf, ReadName, ReadOutputOf } from '../../engine/reads/index.ts';

export interface Charged<Output> {
  readonly data: Output;
  /** Tokens charged; 0 for a repeat of the same action. */
  readonly tokens: number;
  readonly requestId: string;
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
  /** A link to the sample county in a window of its own. @throws ClientError not_found where none is offered */
  openSample(): Promise<string>;
}

/** Codes of spec/errors.ts, and two of the way there: nobody answered, or the window's link has ended. */
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
