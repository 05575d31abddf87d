/** Writes a lake in a process of its own (lake-command.ts). */
import { writeLake } from '../exporting/lake.ts';
import { removeHeldFolders } from '../exporting/open-folders.ts';
import { asJobError } from '../jobs/job.ts';
import { EngineError } from '../spec/errors.ts';
import type { LakeNews, LakeOrder } from './lake-apart.ts';

const tell = (news: LakeNews): void => void process.send?.(news);

// Ctrl+C reaches every process of a terminal; the command decides what it means.
process.on('SIGINT', () => {});
for (const ending of ['SIGTERM', 'disconnect'])
  process.once(ending, () => {
    removeHeldFolders();
    process.exit(1);
  });

process.once('message', async ({ home, folder, counties, now }: LakeOrder) => {
  try {
    const report = await writeLake(home, folder, {
      now,
      ...(counties && { counties }),
      onCounty: (...county) => tell({ county }),
    });
    tell({ report });
  } catch (error) {
    if (error instanceof EngineError) tell({ error: asJobError(error) });
    else tell({ fault: String((error as Error).stack ?? error) });
  }
});
