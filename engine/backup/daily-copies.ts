/** One copy of account.sqlite a day, the last seven kept: notes, lists and the ledger cannot be downloaded again. */
import fs from 'node:fs';
import path from 'node:path';
import type { AccountStore } from '../store/account-store.ts';
import { vacuumInto } from './backup-home.ts';

const keptCopies = 7;
const checkMilliseconds = 60 * 60 * 1000;

const copiesFolder = (home: string): string => path.join(home, 'backups');

const copyName = /^account-\d{4}-\d{2}-\d{2}\.sqlite$/;

interface DailyCopy {
  readonly name: string;
  readonly bytes: number;
  /** ISO day. */
  readonly day: string;
}

/** Newest first. */
export function listDailyCopies(home: string): DailyCopy[] {
  const folder = copiesFolder(home);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => copyName.test(name))
    .sort()
    .reverse()
    .map((name) => ({ name, bytes: fs.statSync(path.join(folder, name)).size, day: name.slice(8, 18) }));
}

/**
 * Makes today's copy if it is missing, and removes all but the last seven. A day is a UTC day.
 * @returns the name of the new copy; null if today already has one
 * @throws EngineError disk_full and others; older copies then stay
 */
export function makeDailyCopy(home: string, { file }: AccountStore, now: Date): string | null {
  const folder = copiesFolder(home);
  const name = `account-${now.toISOString().slice(0, 10)}.sqlite`;
  const target = path.join(folder, name);
  if (fs.existsSync(target)) return null;
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = `${target}.part`;
  fs.rmSync(temporary, { force: true });
  vacuumInto(file, temporary);
  fs.renameSync(temporary, target);
  for (const old of listDailyCopies(home).slice(keptCopies)) fs.rmSync(path.join(folder, old.name), { force: true });
  return name;
}

/** Makes today's copy now and checks hourly for a new day. @returns a function that stops it */
export function keepDailyCopies(
  { home, account, now }: { readonly home: string; readonly account: AccountStore; readonly now: () => Date },
  onFailure: (error: unknown) => void = () => {},
): () => void {
  const copy = (): void => {
    try {
      makeDailyCopy(home, account, now());
    } catch (error) {
      // A full disk must not keep the app from starting.
      onFailure(error);
    }
  };
  copy();
  const timer = setInterval(copy, checkMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
