/** Backup, restore and sharing as tasks for a worker process: a large home takes seconds. The command line runs them itself. */
import { type BackupReport, backupHome } from './backup-home.ts';
import { prepareRestore } from './restore-home.ts';
import { type ShareReport, shareLand } from './share-land.ts';

export interface TaskInput {
  readonly home: string;
  /** Path of the backup to write or restore, or of the copy to share. */
  readonly file: string;
  readonly onlyMyWork: boolean;
  /** ISO date-time. */
  readonly at: string;
}

export interface Tasks {
  readonly backup: BackupReport;
  readonly prepareRestore: { readonly made_at: string; readonly contents: string };
  readonly share: ShareReport;
}

export type TaskName = keyof Tasks;

export const backupTasks: { readonly [Name in TaskName]: (input: TaskInput) => Promise<Tasks[Name]> } = {
  backup: ({ home, file, onlyMyWork, at }) => backupHome(home, file, { onlyMyWork, now: new Date(at) }),
  prepareRestore: ({ home, file, onlyMyWork, at }) => prepareRestore(home, file, { onlyMyWork, now: new Date(at) }),
  share: ({ home, file }) => shareLand(home, file),
};
