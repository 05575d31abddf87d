/** LibreOffice without a window: another program that opens what we write. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { requireOrSkip } from './require.ts';

export const sofficeOrSkip = (name: string): boolean =>
  requireOrSkip(
    name,
    spawnSync('soffice', ['--version']).status === 0,
    'LibreOffice (libreoffice-calc) is not installed',
  );

/**
 * Converts a file with a profile of its own, so that two runs do not wait for each other.
 * @param form as `--convert-to` takes it, like `csv:Text - txt - csv (StarCalc):44,34,76,1`
 * @returns the folder with what it made
 */
export function convertWithOffice(file: string, form: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-office-'));
  execFileSync(
    'soffice',
    [`-env:UserInstallation=file://${folder}/profile`, '--headless', '--convert-to', form, '--outdir', folder, file],
    { stdio: 'ignore', timeout: 120_000 },
  );
  return folder;
}
