/**
 * `npm run test:electron`: the app itself, if Electron's binary exists: it starts, shows its window and the sample
 * county with a tile, and quits. Without one it says so, and has passed nothing.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { _electron } from 'playwright-core';

const root = path.resolve(import.meta.dirname, '..', '..');

/** Null where the binary was never downloaded. Asking the package itself would start the download. */
export function findBinary(): string | null {
  const folder = path.join(root, 'node_modules', 'electron');
  const pathFile = path.join(folder, 'path.txt');
  if (!fs.existsSync(pathFile)) return null;
  const binary = path.join(folder, 'dist', fs.readFileSync(pathFile, 'utf8'));
  return fs.existsSync(binary) ? binary : null;
}

export const notRun = 'not run: no binary here (npx install-electron brings it where its site can be reached)';

/** @throws Error with what was expected */
export async function tryBinary(executablePath: string): Promise<string[]> {
  const main = path.join(root, 'dist', 'electron', 'main.js');
  if (!fs.existsSync(main)) throw new Error('The shell is not built: npm run build && npm run build:electron.');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-electron-'));
  const env = { ...process.env, PLATBOOK_HOME: path.join(folder, 'home'), XDG_CONFIG_HOME: folder } as Record<
    string,
    string
  >;
  const done: string[] = [];
  const app = await _electron.launch({ executablePath, args: ['--no-sandbox', main], env, timeout: 60_000 });
  try {
    done.push('starts');
    const page = await app.firstWindow();
    await page.getByRole('heading', { name: 'Platbook' }).waitFor();
    done.push('window');
    await page.getByRole('button', { name: /Open the sample county/ }).click();
    await page.locator('[data-testid=count][data-current=true]').first().waitFor({ timeout: 60_000 });
    done.push('sample county');
    await page.locator('canvas.maplibregl-canvas').waitFor();
    // An empty map is a single color: its picture has a few kilobytes.
    const canvas = page.locator('canvas.maplibregl-canvas');
    for (let turn = 0; (await canvas.screenshot()).length < 12_000; turn++) {
      if (turn > 60) throw new Error('the map has drawn nothing');
      await page.waitForTimeout(1000);
    }
    done.push('a tile');
  } finally {
    await app.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
  done.push('quit');
  return done;
}

if (process.argv[1] === import.meta.filename) {
  const binary = findBinary();
  console.log(binary ? `passed: ${(await tryBinary(binary)).join(', ')}` : notRun);
}
