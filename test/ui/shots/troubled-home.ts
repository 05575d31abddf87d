/** A home in which much is wrong at once: in a synced folder on a full disk, with old data, the port of its API taken. */
import fs from 'node:fs';
import path from 'node:path';
import { type AppWindow, openAppWindow } from '../../../engine/cli/app-window.ts';
import { type Engine, openEngine } from '../../../engine/engine.ts';
import { switchedListener } from '../../../engine/http/switched-listener.ts';
import { attachListener } from '../../../engine/work/listener-control.ts';
import { canMakeDisk, smallDisk } from '../../support/small-disk.ts';

export interface TroubledHome {
  readonly engine: Engine;
  readonly window: AppWindow;
  close(): Promise<void>;
}

const quiet = { print: () => {}, note: () => {}, progress: () => {} };

/** Less than Platbook wants to be free, more than the sample needs. */
const diskMegabytes = 150;

/**
 * @param folder the caller removes it
 * @param sample a home with the sample county, which becomes a real one from years ago
 */
export async function openTroubledHome(folder: string, sample: string, pages: string): Promise<TroubledHome> {
  const disk = canMakeDisk() ? smallDisk(diskMegabytes) : null;
  if (!disk)
    console.error('SKIPPED: the banner of a full disk is in no picture: no disk of its own could be made here');
  const home = path.join(disk?.folder ?? folder, 'Dropbox', 'Platbook');
  fs.cpSync(sample, home, { recursive: true });
  const engine = openEngine({ home });
  engine.land.file.run("UPDATE datasets SET source_date = '2020-01-15'");
  engine.land.file.run("UPDATE home_kind SET kind = 'real'");
  const window = await openAppWindow(engine, { port: 0 }, quiet, pages);
  const listener = switchedListener(engine, {});
  await listener.set({ on: true, port: window.server.port });
  attachListener(engine, listener);
  return {
    engine,
    window,
    close: async () => {
      await listener.close();
      await window.close();
      engine.close();
      disk?.remove();
    },
  };
}
