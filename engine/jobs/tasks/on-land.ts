/** What the code of every task is given, and what several share. It runs in the worker process. */
import { type Mapping, parseMapping } from '../../importing/mapping/mapping.ts';
import { loadNamedMapping } from '../../importing/mapping/saved-mappings.ts';
import type { ImportProgress } from '../../importing/stage/import-options.ts';
import type { MappingTarget } from '../../importing/values/mapping-target.ts';
import { type AccountStore, openAccountStore } from '../../store/account-store.ts';
import { type LandStore, openLandStore } from '../../store/land-store.ts';
import type { SqliteFile } from '../../store/sqlite.ts';
import type { TaskInput, TaskName } from '../task-kinds.ts';
import type { WorkTools } from '../worker-messages.ts';

export interface TaskTools extends WorkTools {
  readonly home: string;
  readonly threads: number;
  /** Notes what is committed, in the same transaction: it survives if the worker dies before it can report. */
  readonly note: (file: SqliteFile, report: unknown) => void;
}

export interface LandTools extends TaskTools {
  readonly land: LandStore;
}

/** If the code throws, everything that was not reported as kept is unchanged. */
export type Code<Names extends TaskName> = {
  readonly [Name in Names]: (input: TaskInput<Name>, tools: TaskTools) => unknown;
};

/** Opens land.sqlite for a task, with a connection of its own. */
export const onLand =
  <Input, Report>(work: (input: Input, tools: LandTools) => Report | Promise<Report>) =>
  async (input: Input, tools: TaskTools): Promise<Report> => {
    const land = openLandStore(tools.home, () => performance.now());
    try {
      return await work(input, { ...tools, land });
    } finally {
      land.close();
    }
  };

/** Reads what the user said, for work on the land. */
export function withAccount<Said>(home: string, read: (account: AccountStore) => Said): Said {
  const account = openAccountStore(home);
  try {
    return read(account);
  } finally {
    account.close();
  }
}

export function mappingOf(
  home: string,
  given: string | Readonly<Record<string, unknown>> | undefined,
  target: MappingTarget,
): { mapping?: Mapping } {
  if (given === undefined) return {};
  return {
    mapping: typeof given === 'string' ? loadNamedMapping(home, given, target) : parseMapping(given, 'given', target),
  };
}

export const importProgress =
  ({ progress }: TaskTools) =>
  ({ phase, rows, total, rowsPerSecond }: ImportProgress): void =>
    progress({ phase, rows, total, rows_per_second: Math.round(rowsPerSecond) });
