/** The npm packages of the other engines, installed beside the bench and never part of Platbook's own. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '..', 'peers');
const requirePeer = createRequire(path.join(folder, 'package.json'));

export const isInstalled = (name: string): boolean => fs.existsSync(path.join(folder, 'node_modules', name));

/** How to get the packages by hand. */
export const installCommand = 'npm ci --prefix test/bench/peers';

/** Installs them if one is missing; returns why that failed, or null. */
export function installPeers(): string | null {
  if (isInstalled('@duckdb/node-api') && isInstalled('pg')) return null;
  try {
    execFileSync('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund'], { stdio: ['ignore', 'ignore', 'pipe'] });
    return null;
  } catch (error) {
    return `"${installCommand}" failed: ${(error as Error).message.split('\n').slice(0, 3).join(' ')}`;
  }
}

/** @param name of a package; its types are the caller's, because it is not installed where the types are checked */
export const requirePackage = <Package>(name: string): Package => requirePeer(name) as Package;
