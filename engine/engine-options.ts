/** What `openEngine` takes: the home's folder, and for tests the clock and the workers. */
import Type from 'typebox';
import type { SpawnWorker } from './jobs/worker-messages.ts';
import type { LandReader } from './land/land-reader.ts';
import { validationError } from './spec/errors.ts';
import { findProblems } from './spec/validate.ts';
import { booleanSchema, strict } from './spec/value-schemas.ts';

export interface EngineOptions {
  /** Folder of the three files. */
  readonly home: string;
  /** Makes the home if it does not exist. Without it, a misspelt folder is refused. */
  readonly create?: boolean;
  /** Answers operations in place of the home's own land; account and people stay those of the home. */
  readonly land?: LandReader;
  /** The wall clock; for tests. */
  readonly now?: () => Date;
  /** A monotonic clock in milliseconds, for deadlines; for tests. */
  readonly steadyNow?: () => number;
  /** Rebuilds stale column indexes in a worker process (default: true); until then SQL answers. */
  readonly keepsIndexes?: boolean;
  /** Trains and tests market models that do not fit their comps (default: false); until then the comps alone value land. */
  readonly keepsMarkets?: boolean;
  /** Starts a process for tasks (default: a fork of Node). */
  readonly spawnWorker?: SpawnWorker;
  /** Receives faults of Platbook itself; never data of parcels or people. */
  readonly log?: (line: LogLine) => void;
}

export interface LogLine {
  readonly requestId: string;
  readonly operation: string;
  readonly error: unknown;
}

const anything = Type.Optional(Type.Unknown());
const optionsSchema = Type.Object(
  {
    home: Type.String({ minLength: 1, 'x-expected': 'the folder of a home' }),
    create: Type.Optional(booleanSchema()),
    land: anything,
    now: anything,
    steadyNow: anything,
    keepsIndexes: Type.Optional(booleanSchema()),
    keepsMarkets: Type.Optional(booleanSchema()),
    spawnWorker: anything,
    log: anything,
  } satisfies Record<keyof EngineOptions, unknown>,
  strict,
);

/** @throws EngineError validation_error naming each option that is missing, misspelt or of another type */
export function checkOptions(options: unknown): void {
  const given = options ?? {};
  const isPlain = typeof given === 'object' && !Array.isArray(given);
  const set = isPlain ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) : given;
  const problems = findProblems(optionsSchema, set);
  if (problems) throw validationError(problems);
}
