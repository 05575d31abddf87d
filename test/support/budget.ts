/**
 * What the product may weigh: lines and files of each room, stores of the window, small files, private names
 * (`test/budget.json`). test/architecture.test.ts refuses what exceeds it.
 *
 *   node test/support/budget.ts          prints each row of the plan: lines now, and the goal
 *   node test/support/budget.ts --lower  lowers budgets to what is there (a part of `npm run fix`)
 */
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const budgetPath = path.join(root, 'test/budget.json');
const product = ['engine', 'renderer', 'electron', 'data'];

export interface Weight {
  readonly lines: number;
  readonly files: number;
}

export interface Budget {
  /** A room and what it may weigh. */
  readonly rooms: Readonly<Record<string, Weight>>;
  /** What was added to a room's budget, and why; what it takes out is named there. */
  readonly raised: readonly {
    readonly room: string;
    readonly lines: number;
    readonly files: number;
    readonly why: string;
  }[];
  /** Calls of `createStore` in the window. */
  readonly stores: number;
  /** Makers of kinds (`defineOperation`), each with the page of docs/adr that says why it exists. */
  readonly kinds: Readonly<Record<string, string>>;
  /** Files below 40 lines whose one importer stands in the same folder. */
  readonly small: readonly string[];
  /** Files named by a word that only this project knows. */
  readonly privateNames: readonly string[];
  /** Rows of the plan: rooms, and the lines that they shall reach together. */
  readonly goals: readonly { readonly name: string; readonly rooms: readonly string[]; readonly lines: number }[];
}

export const readBudget = (): Budget => JSON.parse(fs.readFileSync(budgetPath, 'utf8')) as Budget;

/** `engine/importing/guess/fill.ts` → `engine/importing`; what stands in no folder belongs to `engine` itself. */
const roomOf = (file: string): string => {
  const parts = file.split('/');
  return parts[0] === 'engine' || parts[0] === 'renderer'
    ? parts.slice(0, Math.min(2, parts.length - 1)).join('/')
    : (parts[0] ?? '');
};

/** Each source file of the product with its text, by its path from the root. */
function readSources(): ReadonlyMap<string, string> {
  const names = product.flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/')))
      .filter((name) => /\.(ts|tsx|mjs|js|css)$/.test(name)),
  );
  return new Map(names.sort().map((name) => [name, fs.readFileSync(path.join(root, name), 'utf8')]));
}

/** The files that import each file. */
function importersOf(sources: ReadonlyMap<string, string>): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const [file, text] of sources)
    for (const [, to = ''] of text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)) {
      const target = path.posix.join(path.posix.dirname(file), to);
      importers.set(target, (importers.get(target) ?? new Set()).add(file));
    }
  return importers;
}

const lineCount = (text: string): number => text.split('\n').length - 1;
const privateWords = /(^|[-/])(kept|keep|keeper|told|asked|taken|stand-in|errand)s?(?=[-./]|$)/;

/** What the product weighs now, in the terms of the budget. */
export function measureHouse(): Omit<Budget, 'raised' | 'goals' | 'kinds'> & { readonly kinds: readonly string[] } {
  const sources = readSources();
  const rooms: Record<string, Weight> = {};
  for (const [file, text] of sources) {
    const { lines, files } = rooms[roomOf(file)] ?? { lines: 0, files: 0 };
    rooms[roomOf(file)] = { lines: lines + lineCount(text), files: files + 1 };
  }
  const small = [...importersOf(sources)].flatMap(([file, [importer = '', ...others]]) => {
    const text = sources.get(file);
    const isBeside = others.length === 0 && path.posix.dirname(importer) === path.posix.dirname(file);
    return text !== undefined && lineCount(text) < 40 && isBeside ? [file] : [];
  });
  const engine = [...sources].filter(([file]) => file.startsWith('engine/'));
  return {
    rooms,
    stores: [...sources.values()].reduce((sum, text) => sum + [...text.matchAll(/= createStore[<(]/g)].length, 0),
    kinds: engine
      .flatMap(([, text]) =>
        [...text.matchAll(/export (?:const|function) (define[A-Z]\w+)/g)].map(([, name = '']) => name),
      )
      .sort(),
    small: small.sort(),
    privateNames: [...sources.keys()].filter((file) => privateWords.test(file)),
  };
}

/** What a room may weigh, with what was raised. */
export function allowanceOf({ rooms, raised }: Budget, room: string): Weight {
  const own = raised.filter((one) => one.room === room);
  return {
    lines: (rooms[room]?.lines ?? 0) + own.reduce((sum, { lines }) => sum + lines, 0),
    files: (rooms[room]?.files ?? 0) + own.reduce((sum, { files }) => sum + files, 0),
  };
}

/** The budget with everything lowered to what is there; nothing rises. What is too much goes from the newest raise first. */
function lowered(budget: Budget): Budget {
  const now = measureHouse();
  const rooms = Object.entries(budget.rooms).filter(([room]) => now.rooms[room] !== undefined);
  const surplus = new Map(
    rooms.map(([room]) => {
      const [allowed, is] = [allowanceOf(budget, room), now.rooms[room] as Weight];
      return [room, { lines: Math.max(0, allowed.lines - is.lines), files: Math.max(0, allowed.files - is.files) }];
    }),
  );
  const less = <Of extends Weight>(room: string, weight: Of): Of => {
    const rest = surplus.get(room) ?? { lines: 0, files: 0 };
    const [lines, files] = [Math.min(weight.lines, rest.lines), Math.min(weight.files, rest.files)];
    surplus.set(room, { lines: rest.lines - lines, files: rest.files - files });
    return { ...weight, lines: weight.lines - lines, files: weight.files - files };
  };
  const raised = budget.raised
    .filter(({ room }) => now.rooms[room] !== undefined)
    .toReversed()
    .map((one) => less(one.room, one))
    .toReversed()
    .filter(({ lines, files }) => lines > 0 || files > 0);
  return {
    ...budget,
    rooms: Object.fromEntries(rooms.map(([room, weight]) => [room, less(room, weight)])),
    raised,
    stores: Math.min(budget.stores, now.stores),
    kinds: Object.fromEntries(Object.entries(budget.kinds).filter(([name]) => now.kinds.includes(name))),
    small: budget.small.filter((file) => now.small.includes(file)),
    privateNames: budget.privateNames.filter((file) => now.privateNames.includes(file)),
  };
}

function printGoals(): void {
  const now = measureHouse();
  const { goals } = readBudget();
  const linesOf = (rooms: readonly string[]) => rooms.reduce((sum, room) => sum + (now.rooms[room]?.lines ?? 0), 0);
  for (const { name, rooms, lines } of goals)
    console.log(`${String(linesOf(rooms)).padStart(7)}  goal ${String(lines).padStart(6)}  ${name}`);
  console.log(`${String(linesOf(Object.keys(now.rooms))).padStart(7)}  all`);
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--lower'))
    fs.writeFileSync(budgetPath, `${JSON.stringify(lowered(readBudget()), null, 2)}\n`);
  else printGoals();
}
