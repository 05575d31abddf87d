/** Every error a caller can meet, one row per code, with its HTTP status and message (docs/contract.md, "Errors"). */

/** Codes that travel over HTTP, with their status. */
export const wireErrors = {
  validation_error: {
    status: 400,
    message: 'The request is not valid.',
    docs: 'The input is not valid; `details` names each rejected field.',
  },
  unauthorized: {
    status: 401,
    message: 'The API key is missing or not valid.',
    docs: 'Send `Authorization: Bearer plat_…` with a key made by `platbook keys create`.',
  },
  subscription_required: {
    status: 402,
    message: 'This needs a Pro subscription.',
    docs: 'The plan of this home is not pro.',
  },
  tier_upgrade_required: {
    status: 402,
    message: 'This needs an API tier.',
    docs: 'The plan has no tier, or the free one.',
  },
  usage_limit_exceeded: {
    status: 402,
    message: 'The token cap of this period is reached.',
    docs: 'Tokens used and the price together would pass the cap. Nothing was charged and no data is returned.',
  },
  payment_required: {
    status: 402,
    message: 'The invoice is not paid.',
    docs: 'The plan is marked with an unpaid invoice.',
  },
  forbidden: {
    status: 403,
    message: 'This is not permitted.',
    docs: 'The key lacks the scope, or the request came from another host or web page.',
  },
  not_found: { status: 404, message: 'Nothing was found here.', docs: 'No such path, parcel, region or page.' },
  method_not_allowed: {
    status: 405,
    message: 'This method is not allowed here.',
    docs: 'The header `Allow` names the methods of this path.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests.',
    docs: 'The header `Retry-After` says in how many seconds to try again.',
  },
  internal_error: {
    status: 500,
    message: 'Something went wrong inside Platbook.',
    docs: 'A fault of Platbook, logged under the request id. Nothing was charged.',
  },
} as const satisfies Record<string, { status: number; message: string; docs: string }>;

export type WireErrorCode = keyof typeof wireErrors;

interface LocalError {
  readonly docs: string;
  /** Message of the `internal_error` over HTTP, without names of this computer; absent if the caller can do nothing. */
  readonly overHttp?: string;
}

/** Codes of the library and the command line: they never travel over HTTP. */
export const localErrors = {
  unfit_node: { docs: 'This Node.js is too old for the database driver.' },
  unfit_processor: { docs: 'This processor has no WebAssembly SIMD, which filters need.' },
  home_missing: { docs: 'The home does not exist, or its folder cannot be written.' },
  closed: { docs: 'The engine was closed before this call.' },
  file_missing: { docs: 'The named file does not exist or cannot be read.' },
  file_empty: { docs: 'A database file has no content: the disk may have been full when it was made.' },
  file_not_sqlite: { docs: 'The file is not a SQLite database.' },
  file_foreign: { docs: 'The file is a database of another program.' },
  file_from_future: { docs: 'The file was written by a newer Platbook.' },
  file_damaged: { docs: 'The database fails its own integrity check.' },
  file_suspicious: {
    docs: 'A file of a home is a link or a pipe, or the database holds triggers or views that Platbook did not make.',
  },
  file_locked: {
    docs: 'Another program has locked the file for too long.',
    overHttp: 'Another program is writing the data of Platbook for too long. Nothing was charged; try again.',
  },
  file_read_only: { docs: 'The file or its folder cannot be written.' },
  disk_trouble: {
    docs: 'The disk cannot be read or written: it is full, failing or disconnected.',
    overHttp:
      'The disk with the data of Platbook cannot be read or written: it may be full, failing or disconnected. Nothing was charged.',
  },
  disk_full: {
    docs: 'The disk is full; nothing was changed.',
    overHttp: 'The disk with the data of Platbook is full: make room on it. Nothing was charged or changed.',
  },
  import_refused: { docs: 'The import is not possible with this file and these options; nothing was changed.' },
  mapping_invalid: { docs: 'The mapping file is not valid.' },
  sample_and_real: { docs: 'A home holds either the synthetic sample or real data, never both.' },
  postgis_unreachable: {
    docs: 'The database server does not answer, or the connection to it broke.',
    overHttp: 'The database server with the land does not answer. Nothing was charged; try again.',
  },
  postgis_refused: {
    docs: 'The database server refuses the connection: its user, password, database, certificate or address.',
    overHttp: 'The database server with the land refuses the connection. Nothing was charged.',
  },
  postgis_rights: {
    docs: 'The role of the connection may not do this on the database server.',
    overHttp: 'The role of the connection may not read the land on the database server. Nothing was charged.',
  },
  postgis_full: {
    docs: 'The database server has no more room: its disk, its memory or its connections are used up.',
    overHttp: 'The database server with the land has no more room. Nothing was charged; try again.',
  },
  postgis_busy: { docs: 'Another program is pushing the same county, or changing the tables; nothing was changed.' },
  postgis_unfit: {
    docs: 'The database server is too old for Platbook, is not in UTF-8, or lacks PostGIS or pg_trgm.',
    overHttp: 'The database server with the land is too old or set up otherwise. Nothing was charged.',
  },
  postgis_schema: {
    docs: 'The tables on the database server are missing, of another version, or changed by another program.',
    overHttp: 'The land on the database server is of another version of Platbook. Nothing was charged.',
  },
  push_refused: { docs: 'The push is not possible with these parcels and this server; nothing was changed.' },
  usage: { docs: 'The command line or its arguments are not valid.' },
} as const satisfies Record<string, LocalError>;

type LocalErrorCode = keyof typeof localErrors;
export type ErrorCode = WireErrorCode | LocalErrorCode;

/** Each rejected field with its messages; messages about several fields are under `non_field_errors`. */
export type ErrorDetails = Record<string, string[]>;

export const nonFieldErrors = 'non_field_errors';

/** An error that the caller caused or can fix. Any other thrown error is a bug: `internal_error`. */
export class EngineError extends Error {
  readonly code: ErrorCode;
  readonly details?: ErrorDetails;
  /** Whole seconds to wait before trying again; with `rate_limited` only. */
  readonly retryAfterSeconds?: number;
  /** With `rate_limited`: the calls that fit, if the limit is the operation's own and not the listener's. */
  readonly limit?: number;

  constructor(
    code: ErrorCode,
    message?: string,
    more: { details?: ErrorDetails; retryAfterSeconds?: number; limit?: number; cause?: unknown } = {},
  ) {
    super(
      message ??
        (code in wireErrors ? wireErrors[code as WireErrorCode].message : localErrors[code as LocalErrorCode].docs),
      {
        cause: more.cause,
      },
    );
    this.name = 'EngineError';
    this.code = code;
    if (more.details) this.details = more.details;
    if (more.retryAfterSeconds !== undefined) this.retryAfterSeconds = more.retryAfterSeconds;
    if (more.limit !== undefined) this.limit = more.limit;
  }
}

/** Replaces a local error or a fault over HTTP. */
export function asInternalError(error: unknown): EngineError {
  const local: LocalError | undefined =
    error instanceof EngineError && error.code in localErrors ? localErrors[error.code as LocalErrorCode] : undefined;
  return new EngineError('internal_error', local?.overHttp);
}

export const noParcel = (id: number): EngineError => new EngineError('not_found', `There is no parcel ${id}.`);

/** A question stopped at its deadline. */
export const tooBroad = (): EngineError =>
  new EngineError(
    'validation_error',
    'The request is too broad to answer in time. Add a county, a ZIP code or a smaller area.',
    { details: { [nonFieldErrors]: ['too broad: it was stopped at the time limit and not charged'] } },
  );

/** A 400 with details; the message repeats the first one, so that a log line alone helps. */
export function validationError(details: ErrorDetails): EngineError {
  const [field, messages] = Object.entries(details)[0] ?? [nonFieldErrors, [wireErrors.validation_error.message]];
  const first = messages[0] ?? wireErrors.validation_error.message;
  return new EngineError('validation_error', field === nonFieldErrors ? first : `${field}: ${first}`, { details });
}
