/**
 * The desktop app's main process. It holds no data: it makes windows, starts the engine's process and hands each window
 * its port. Decisions are in files of their own, without Electron; this file keeps the order.
 */
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { app, protocol } from 'electron/main';
import { homeFolder } from '../engine/home-folder.ts';
import { appScheme, schemePrivileges } from './app-scheme.ts';
import { DesktopShell } from './desktop-shell.ts';
import { lockDownPages } from './lock-down.ts';

// Must run before Electron is ready.
app.setName('Platbook');
// Differs from the usual place of the home: on macOS both would be `Application Support/Platbook`.
app.setPath('userData', path.join(app.getPath('appData'), 'Platbook Desktop'));
protocol.registerSchemesAsPrivileged([{ scheme: appScheme, privileges: schemePrivileges }]);
app.enableSandbox();
lockDownPages(app);

// One app holds the files; a second start passes its arguments on.
if (app.requestSingleInstanceLock()) {
  const home = homeFolder({ platform: process.platform, env: process.env, userFolder: os.homedir() });
  const shell = new DesktopShell(home, path.join(import.meta.dirname, '..', 'renderer'));
  shell.listen();
  void app.whenReady().then(() => shell.open());
} else {
  app.quit();
}
