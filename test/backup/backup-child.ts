/** Makes a backup and reports the result; its parent limits what it may write. */
import { backupHome } from '../../engine/backup/backup-home.ts';
import { EngineError } from '../../engine/spec/errors.ts';

const [home = '', file = ''] = process.argv.slice(2);
try {
  await backupHome(home, file, { onlyMyWork: false, now: new Date('2026-11-20T12:00:00Z') });
  process.stdout.write('done\n');
} catch (error) {
  process.stdout.write(
    error instanceof EngineError ? `${error.code}: ${error.message}\n` : `fault: ${String(error)}\n`,
  );
}
