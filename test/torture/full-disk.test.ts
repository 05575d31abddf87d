/** R13 of docs/reliability.md, "What must hold", for metering: the disk of the home is really full, a small one of its own. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkHome } from '../../engine/check.ts';
import { openEngine } from '../../engine/engine.ts';
import { EngineError } from '../../engine/index.ts';
import { fillFixture } from '../support/fixture-home.ts';
import { requireOrSkip } from '../support/require.ts';
import { measured } from '../support/runs.ts';
import { canMakeDisk, smallDisk } from '../support/small-disk.ts';

const hasDisks = requireOrSkip('small disks', canMakeDisk(), 'only the superuser of a Linux machine makes them');

/** Writes zeros until nothing fits any more, but for `left` bytes. */
function fill(file: string, left: number): void {
  const descriptor = fs.openSync(file, 'w');
  try {
    for (;;) fs.writeSync(descriptor, Buffer.alloc(4096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
  fs.ftruncateSync(descriptor, fs.fstatSync(descriptor).size - left);
  fs.closeSync(descriptor);
}

describe.runIf(hasDisks)('on a full disk', () => {
  test('calls are refused by name and free, those before are all charged, reads go on, and with room it works again', async () => {
    const disk = smallDisk(16);
    const home = path.join(disk.folder, 'home');
    const filler = path.join(disk.folder, 'filler');
    let engine = openEngine({ home, create: true, keepsIndexes: false });
    onTestFinished(() => {
      engine.close();
      disk.remove();
    });
    fillFixture(engine);
    const call = () => engine.call('get_property', { id: 1 });
    const used = async () => (await engine.call('get_usage', {})).data.tokens_used;
    let acknowledged = 0;
    let refused = 0;
    for (const left of [0, 64, 256, 1024]) {
      fill(filler, left * 1024);
      let error: unknown = null;
      while (error === null) {
        error = await call().then(
          () => {
            acknowledged++;
            return null;
          },
          (found: unknown) => found,
        );
      }
      refused++;
      expect(error).toBeInstanceOf(EngineError);
      expect(error).toMatchObject({ code: 'disk_full' });
      expect(await used()).toBe(acknowledged * 10);
      expect(engine.land.file.get('SELECT count(*) AS n FROM parcels')).toEqual({ n: 51 });
      // Opened while the disk is full, too.
      engine.close();
      engine = openEngine({ home, keepsIndexes: false });
      expect(await used()).toBe(acknowledged * 10);
      fs.rmSync(filler);
      await call();
      acknowledged++;
      expect(await used()).toBe(acknowledged * 10);
    }
    const faults = checkHome(engine).filter(({ ok, name }) => !ok && name !== 'registry is complete');
    expect(faults).toEqual([]);
    measured(`filled four times: ${refused} refusals, ${acknowledged} acknowledged = usage, reads went on, recovered`);
  });
});
