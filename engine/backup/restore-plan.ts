/**
 * The plan of a restore, `restore.json`, which the next start of the home carries out. It is read strictly, since a home may
 * come from a stranger: only names that Platbook itself would have written, all of them in the home, none through a link.
 */
import path from 'node:path';
import Type from 'typebox';
import { entryKind, kindWords, readPlainText } from '../plain-file.ts';
import { EngineError } from '../spec/errors.ts';
import { findProblems } from '../spec/validate.ts';
import { strict } from '../spec/value-schemas.ts';
import { isOfDead, markForm, ownMark } from '../store/owner-mark.ts';
import { homeFiles, isSideFile } from './home-files.ts';
import { type Manifest, madeAt } from './manifest.ts';

export interface Plan {
  /** Folder below the home with the unpacked files. */
  readonly from: string;
  /** Folder below the home for the replaced files. */
  readonly aside: string;
  /** ISO date-time of the backup. */
  readonly made_at: string;
  readonly contents: Manifest['contents'];
  /** Files to replace; those missing in `from` only go aside. */
  readonly names: readonly string[];
}

export const planName = 'restore.json';
export const partOfPlan = `${planName}.part`;

/** Undo files belong to imports of the replaced database; the restored one must not find them. */
export const otherHistory: readonly string[] = ['undo'];

const stampForm = '\\d{8}-\\d{6}';
const numbered = (number: number): string => (number === 1 ? '' : `-${number}`);

/** Versions before 0.2 wrote no mark. */
const unpackedForm = new RegExp(`^restore-${stampForm}(?:-(${markForm}))?(?:-\\d+)?\\.tmp$`);
const asideForm = new RegExp(`^before-restore-${stampForm}(?:-\\d+)?$`);

/** Name of the folder that this process unpacks into. @param stamp as from `stampOf` */
export const unpackedName = (stamp: string, number: number): string =>
  `restore-${stamp}-${ownMark}${numbered(number)}.tmp`;

export const asideName = (stamp: string, number: number): string => `before-restore-${stamp}${numbered(number)}`;

export const isAsideFolder = (home: string, name: string): boolean =>
  asideForm.test(name) && entryKind(path.join(home, name)) === 'folder';

/** Whether a restore that has ended unpacked into this folder. */
export function isUnpackedFolder(home: string, name: string): boolean {
  const [found, mark] = unpackedForm.exec(name) ?? [];
  if (found === undefined || entryKind(path.join(home, name)) !== 'folder') return false;
  return mark === undefined || mark === ownMark || isOfDead(mark);
}

const schema = Type.Object(
  {
    from: Type.String({ pattern: unpackedForm.source, 'x-expected': 'the name of a folder that a restore makes' }),
    aside: Type.String({ pattern: asideForm.source, 'x-expected': 'the name of a folder that a restore makes' }),
    made_at: madeAt,
    contents: Type.Union([Type.Literal('whole'), Type.Literal('my work')]),
    names: Type.Array(Type.String(), { minItems: 1, maxItems: 10_000 }),
  },
  strict,
);

/** Ten thousand names of a hundred letters. */
const mostBytes = 2 << 20;

/** The folder that a planned restore waits in, below the home; null if none is planned. */
export const plannedFolder = (home: string): string | null => findPlan(home).plan?.from ?? null;

type FoundPlan =
  | { readonly plan: Plan | null; readonly problem: null }
  | { readonly plan: null; readonly problem: string };

/** The plan of a home; `problem` is a clause that says why the file is none. */
export function findPlan(home: string): FoundPlan {
  const kind = entryKind(path.join(home, planName));
  if (kind === null) return { plan: null, problem: null };
  if (kind !== 'file') return { plan: null, problem: `it is ${kindWords(kind)}` };
  let plan: unknown;
  try {
    plan = JSON.parse(readPlainText(path.join(home, planName), mostBytes) ?? '');
  } catch (error) {
    if (error instanceof EngineError) return { plan: null, problem: 'it is too long' };
    return { plan: null, problem: 'it is not JSON' };
  }
  const problem = problemOf(home, plan);
  return problem === null ? { plan: plan as Plan, problem } : { plan: null, problem };
}

function problemOf(home: string, given: unknown): string | null {
  const [wrong] = Object.entries(findProblems(schema, given) ?? {});
  if (wrong) return `${wrong[0]}: ${wrong[1][0] ?? 'not valid'}`;
  const { from, aside, names } = given as Plan;
  const stranger = names.find((name) => !isRestored(name));
  if (stranger !== undefined) return `names: ${JSON.stringify(stranger.slice(0, 60))} is no file of a home`;
  if (new Set(names).size < names.length) return 'names: one is given twice';
  if (entryKind(path.join(home, from)) !== 'folder') return `from: the home holds no folder ${from}`;
  const asideKind = entryKind(path.join(home, aside));
  if (asideKind !== null && asideKind !== 'folder') return `aside: ${aside} is ${kindWords(asideKind)}`;
  const bent = names.find((name) => [from, aside, '.'].some((below) => !isStraight(home, below, name)));
  return bent === undefined ? null : `names: ${bent} lies behind a link, or is no file`;
}

const isRestored = (name: string): boolean =>
  homeFiles.some((file) => file.name === name) || isSideFile(name) || otherHistory.includes(name);

/** Whether a name lies in plain folders, as a plain file or folder, or is not there. */
function isStraight(home: string, below: string, name: string): boolean {
  const steps = name.split('/');
  const kinds = steps.map((_step, at) => entryKind(path.join(home, below, ...steps.slice(0, at + 1))));
  const last = kinds.pop() ?? null;
  if (kinds.some((kind) => kind !== null && kind !== 'folder')) return false;
  // What stands in the home moves aside, whatever it is; a link moves as a link.
  return below === '.' || last === null || last === (otherHistory.includes(name) ? 'folder' : 'file');
}
