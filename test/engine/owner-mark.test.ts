/** Leftovers belong to a process that has ended, folders in use to one that lives. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isAlive } from '../../engine/store/owner-mark.ts';

describe('a process', () => {
  test('that runs is alive', () => expect(isAlive(process.pid)).toBe(true));

  test.runIf(process.platform === 'linux')('that has ended is not, though nobody asks for its outcome', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [line] = await once(parent.stdout, 'data');
    await expect.poll(() => isAlive(Number(line)), { timeout: 20_000 }).toBe(false);
  });
});
