/**
 * Restores a backup without losing anything. First it is unpacked and checked in a folder of the home; then a plan is
 * written; then files change places, one rename each, and the replaced ones go into `before-restore-…`. If the process
 * dies in between, the next start finishes the plan: all files it needs lie in the home.
 */
import fs from 'node:fs';
import path from 'node:path';
import { holdFolder } from '../exporting/open-folders.ts';
import { EngineError } from '../spec/errors.ts';
import { registered, withOpen } from './backup-home.ts';
import { homeFiles, stampOf, withLogs, workFiles } from './home-files.ts';
import { refuseInUse } from './in-use.ts';
import type { Identity, Manifest } from './manifest.ts';
import { unpackBackup } from './unpack-backup.ts';

export interface RestoreOptions {
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

interface Plan {
  /** Folder below the home with the unpacked files. */
  readonly from: string;
  /** Folder below the home for the replaced files. */
  readonly aside: string;
  readonly made_at: string;
  readonly contents: Manifest['contents'];
  /** Files to replace; those missing in `from` only go aside. */
  readonly names: readonly string[];
}

const planName = 'restore.json';

/** Names of the folders that `prepareRestore` unpacks into. */
const unpackedForm = /^restore-\d{8}-\d{6}(?:-\d+)?\.tmp$/;

/** Undo files belong to imports of the replaced database; the restored one must not find them. */
const otherHistory = ['undo'];

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
  fs.mkdirSync(home, { recursive: true });
  cancelRestore(home);
  removeLeftovers(home);
  const stamp = stampOf(now);
  const from = freeName(home, `restore-${stamp}.tmp`);
  const folder = path.join(home, from);
  fs.mkdirSync(folder);
  const release = holdFolder(folder);
  try {
    const manifest = await unpackBackup(file, folder);
    const names = wantedNames(manifest, onlyMyWork, file);
    for (const { name } of manifest.files) if (!names.includes(name)) fs.rmSync(path.join(folder, name));
    checkUnpacked(folder, names);
    if (!names.includes('land.sqlite')) refuseOtherParcels(home, manifest.identities);
    const isWhole = names.includes('land.sqlite');
    const plan: Plan = {
      from,
      aside: freeName(home, `before-restore-${stamp}`),
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

/** Removes folders of killed restores: those that no plan refers to. */
function removeLeftovers(home: string): void {
  const planned = readPlan(home)?.from;
  for (const name of fs.readdirSync(home))
    if (unpackedForm.test(name) && name !== planned) fs.rmSync(path.join(home, name), { recursive: true, force: true });
}

function freeName(home: string, name: string): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : name.replace(/(\.tmp)?$/, `-${number}$1`);
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
  const temporary = path.join(home, `${planName}.part`);
  fs.writeFileSync(temporary, JSON.stringify(plan), { flush: true });
  fs.renameSync(temporary, path.join(home, planName));
}

/** Date and contents of the restore that the next start will finish; null if none is planned. */
export function plannedRestore(home: string): Pick<Plan, 'made_at' | 'contents'> | null {
  const plan = readPlan(home);
  return plan && { made_at: plan.made_at, contents: plan.contents };
}

function readPlan(home: string): Plan | null {
  try {
    return JSON.parse(fs.readFileSync(path.join(home, planName), 'utf8')) as Plan;
  } catch {
    return null;
  }
}

/** Whether files have begun to change places: then the restore can only be finished. */
const hasBegun = (home: string, { aside }: Plan): boolean => fs.existsSync(path.join(home, aside));

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
  fs.mkdirSync(aside, { recursive: true });
  const restored = plan.names.filter((name) => moveOne({ home, from, aside }, name));
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
    fs.mkdirSync(path.dirname(kept), { recursive: true });
    fs.renameSync(file, kept);
  }
  if (isOnlyAside) return false;
  fs.mkdirSync(path.dirname(standing), { recursive: true });
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
