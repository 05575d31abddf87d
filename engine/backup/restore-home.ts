/**
 * Restores a backup without losing anything. First it is unpacked and checked in a folder of the home; then a plan is
 * written; then files change places, one rename each, and the replaced ones go into `before-restore-…`. If the process
 * dies in between, the next start finishes the plan: all files it needs lie in the home.
 */
import fs from 'node:fs';
import path from 'node:path';
import { holdFolder } from '../exporting/open-folders.ts';
import { entryKind } from '../plain-file.ts';
import { EngineError } from '../spec/errors.ts';
import { leaveHome } from '../store/home-identity.ts';
import { removeTerrain } from '../store/terrain-store.ts';
import { registered, withOpen } from './backup-home.ts';
import { keepOptedOut } from './delete-contact.ts';
import { homeFiles, stampOf, withLogs, workFiles } from './home-files.ts';
import { refuseInUse } from './in-use.ts';
import type { Identity, Manifest } from './manifest.ts';
import {
  asideName,
  findPlan,
  isUnpackedFolder,
  otherHistory,
  type Plan,
  partOfPlan,
  planName,
  unpackedName,
} from './restore-plan.ts';
import { setAside } from './set-aside.ts';
import { unpackBackup } from './unpack-backup.ts';

interface RestoreOptions {
  readonly onlyMyWork: boolean;
  readonly now: Date;
}

export interface RestoreReport {
  /** ISO date-time of the backup. */
  readonly made_at: string;
  readonly contents: Manifest['contents'];
  /** Names of the restored files. */
  readonly files: readonly string[];
  /** Folder with the replaced files; null if there were none. */
  readonly kept_in: string | null;
}

/**
 * Restores at once. No other program may have the home open.
 * @throws EngineError validation_error, file_from_future, file_locked, disk_full and others; the home stays unchanged
 */
export async function restoreHome(home: string, file: string, options: RestoreOptions): Promise<RestoreReport> {
  await prepareRestore(home, file, options);
  try {
    for (const { name } of homeFiles) refuseInUse(path.join(home, name));
    return finishRestore(home) as RestoreReport;
  } catch (error) {
    if (fs.existsSync(path.join(home, planName))) cancelRestore(home);
    throw error;
  }
}

/**
 * Unpacks and checks a backup and writes the plan; present files stay untouched. The next start of the home finishes the
 * restore, or `cancelRestore` drops it.
 * @throws EngineError; nothing is planned then
 */
export async function prepareRestore(home: string, file: string, { onlyMyWork, now }: RestoreOptions): Promise<Plan> {
  fs.mkdirSync(home, { recursive: true, mode: 0o700 });
  cancelRestore(home);
  removeLeftovers(home);
  const stamp = stampOf(now);
  const from = freeName(home, (number) => unpackedName(stamp, number));
  const folder = path.join(home, from);
  fs.mkdirSync(folder, { mode: 0o700 });
  const release = holdFolder(folder);
  try {
    const manifest = await unpackBackup(file, folder);
    const names = wantedNames(manifest, onlyMyWork, file);
    for (const { name } of manifest.files) if (!names.includes(name)) fs.rmSync(path.join(folder, name));
    checkUnpacked(folder, names);
    if (names.includes('people.sqlite')) keepOptedOut(home, folder);
    if (!names.includes('land.sqlite')) {
      refuseOtherParcels(home, manifest.identities);
      takeOutOfHome(folder);
    }
    const isWhole = names.includes('land.sqlite');
    const plan: Plan = {
      from,
      aside: freeName(home, (number) => asideName(stamp, number)),
      made_at: manifest.made_at,
      contents: isWhole ? 'whole' : 'my work',
      names: isWhole ? [...names, ...otherHistory] : names,
    };
    writePlan(home, plan);
    return plan;
  } catch (error) {
    fs.rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    // Now the plan refers to the folder, or it is removed.
    release();
  }
}

/** Removes folders of killed restores: those that no plan refers to. @returns their names */
export function removeLeftovers(home: string): string[] {
  const left = restoreLeftovers(home);
  for (const name of left) fs.rmSync(path.join(home, name), { recursive: true, force: true });
  return left;
}

export function restoreLeftovers(home: string): string[] {
  const planned = readPlan(home)?.from;
  return fs.readdirSync(home).filter((name) => name !== planned && isUnpackedFolder(home, name));
}

function freeName(home: string, nameOf: (number: number) => string): string {
  for (let number = 1; ; number++) {
    const free = nameOf(number);
    if (!fs.existsSync(path.join(home, free))) return free;
  }
}

function wantedNames({ files, contents }: Manifest, onlyMyWork: boolean, file: string): string[] {
  const held = files.map(({ name }) => name);
  const needed = (onlyMyWork || contents === 'my work' ? workFiles : homeFiles).map(({ name }) => name as string);
  const lacking = needed.find((name) => !held.includes(name));
  if (lacking !== undefined)
    throw new EngineError('validation_error', `${file} has no ${lacking}. Nothing was changed.`);
  return held.filter((name) => needed.includes(name) || !homeFiles.some((each) => each.name === name));
}

/** Checks kind, version, schema and pages of each database, and migrates older ones here, where failing is harmless. */
function checkUnpacked(folder: string, names: readonly string[]): void {
  for (const each of homeFiles.filter(({ name }) => names.includes(name))) {
    withOpen(each, folder, (file) => {
      const answer = file.pragma('quick_check(1)');
      if (answer !== 'ok')
        throw new EngineError('file_damaged', `${each.name} of the backup is damaged: ${String(answer)}.`);
      // No log beside it, so that one rename moves it.
      file.pragma('journal_mode = DELETE');
    });
    const rest = withLogs(path.join(folder, each.name))
      .slice(1)
      .find((log) => fs.existsSync(log));
    if (rest) throw new Error(`${rest} was not removed`);
  }
}

/** Its parcels are those of this home, which takes it in at the next opening. */
function takeOutOfHome(folder: string): void {
  for (const each of workFiles)
    withOpen(each, folder, (file) => {
      leaveHome(file);
      file.pragma('journal_mode = DELETE');
    });
}

/**
 * A property_id holds for one home; in another, notes would end up on other parcels.
 * @throws EngineError validation_error
 */
function refuseOtherParcels(home: string, identities: readonly Identity[]): void {
  if (identities.length === 0) return;
  const land = homeFiles.find(({ name }) => name === 'land.sqlite');
  const known =
    land && fs.existsSync(path.join(home, land.name))
      ? withOpen(land, home, (file) =>
          registered(
            file,
            identities.map(([id]) => id),
          ),
        )
      : [];
  const byId = new Map(known.map((identity) => [identity[0], JSON.stringify(identity)]));
  const others = identities.filter((identity) => byId.get(identity[0]) !== JSON.stringify(identity));
  if (others.length === 0) return;
  const [, fips, , apn] = others[0] as Identity;
  throw new EngineError(
    'validation_error',
    `${others.length.toLocaleString('en-US')} of ${identities.length.toLocaleString('en-US')} parcels with your work are not the same parcels here (the first is ${apn || 'one without an APN'} of county ${fips}): this home was filled again since the backup. Restore the whole backup instead. Nothing was changed.`,
  );
}

function writePlan(home: string, plan: Plan): void {
  const temporary = path.join(home, partOfPlan);
  // Never through a link: what lies under the name goes first, and the new file is made.
  fs.rmSync(temporary, { force: true });
  fs.writeFileSync(temporary, JSON.stringify(plan), { flush: true, flag: 'wx', mode: 0o600 });
  fs.renameSync(temporary, path.join(home, planName));
}

/** Date and contents of the restore that the next start will finish; null if none is planned. */
export function plannedRestore(home: string): Pick<Plan, 'made_at' | 'contents'> | null {
  const plan = readPlan(home);
  return plan && { made_at: plan.made_at, contents: plan.contents };
}

const readPlan = (home: string): Plan | null => findPlan(home).plan;

/** Whether files have begun to change places: then the restore can only be finished. */
const hasBegun = (home: string, { aside }: Plan): boolean => fs.existsSync(path.join(home, aside));

/** Why `restore.json` is no plan of Platbook, as a clause; null if it is one, or there is none. */
export const wrongPlan = (home: string): string | null => findPlan(home).problem;

/**
 * Moves a plan away that Platbook did not write: a home may come from a stranger. Nothing in it is obeyed.
 * @param problem from `wrongPlan`
 * @returns a sentence for the user
 */
export function setPlanAside(home: string, problem: string, now: Date): string {
  // A pipe under the name has moved already.
  const folder = entryKind(path.join(home, planName)) === null ? null : setAside(home, planName, now);
  const kept = folder === null ? '' : `; the file is kept in ${folder}`;
  return `${planName} of this home is not a restore that Platbook planned: ${problem}. Nothing was restored${kept}.`;
}

/** Drops a planned restore that has not begun to move files. @returns whether there was one */
export function cancelRestore(home: string): boolean {
  const plan = readPlan(home);
  if (!plan || hasBegun(home, plan)) return false;
  fs.rmSync(path.join(home, planName));
  fs.rmSync(path.join(home, plan.from), { recursive: true, force: true });
  return true;
}

/**
 * Finishes a planned restore, wherever it stopped. Call it before the home is opened, and only if no other program has it
 * open.
 * @returns null if none was planned
 */
export function finishRestore(home: string): RestoreReport | null {
  const plan = readPlan(home);
  if (!plan) return null;
  const from = path.join(home, plan.from);
  const aside = path.join(home, plan.aside);
  fs.mkdirSync(aside, { recursive: true, mode: 0o700 });
  const restored = plan.names.filter((name) => moveOne({ home, from, aside }, name));
  // Heights of the replaced counties; those of the restored ones are made from their elevation files.
  if (plan.names.includes('land.sqlite')) removeTerrain(home);
  fs.rmSync(path.join(home, planName));
  fs.rmSync(from, { recursive: true, force: true });
  const keptNames = fs.readdirSync(aside);
  if (keptNames.length === 0) fs.rmdirSync(aside);
  return {
    made_at: plan.made_at,
    contents: plan.contents,
    files: restored,
    kept_in: keptNames.length === 0 ? null : aside,
  };
}

/**
 * Moves a present file aside with its logs, then the new one into its place. Each step checks what exists, so that it can
 * be repeated: a new file that is no longer in `from` is already in place.
 * @returns whether a new file is in place
 */
function moveOne({ home, from, aside }: { home: string; from: string; aside: string }, name: string): boolean {
  const standing = path.join(home, name);
  const next = path.join(from, name);
  const isOnlyAside = otherHistory.includes(name);
  if (!isOnlyAside && !fs.existsSync(next)) return true;
  for (const file of withLogs(standing)) {
    const kept = path.join(aside, path.relative(home, file));
    if (!fs.existsSync(file) || fs.existsSync(kept)) continue;
    fs.mkdirSync(path.dirname(kept), { recursive: true, mode: 0o700 });
    fs.renameSync(file, kept);
  }
  if (isOnlyAside) return false;
  fs.mkdirSync(path.dirname(standing), { recursive: true, mode: 0o700 });
  fs.renameSync(next, standing);
  return true;
}

/**
 * For the start of a home: finishes a planned restore, or leaves it planned if another program has the home open.
 * @param onlyBegun also leaves it planned if it has not begun to move files
 */
export function finishPlannedRestore(home: string, { onlyBegun = false } = {}): RestoreReport | null {
  const plan = readPlan(home);
  if (!plan || (onlyBegun && !hasBegun(home, plan))) return null;
  try {
    for (const { name } of homeFiles) refuseInUse(path.join(home, name));
  } catch (error) {
    if (error instanceof EngineError && error.code === 'file_locked') return null;
    throw error;
  }
  return finishRestore(home);
}
