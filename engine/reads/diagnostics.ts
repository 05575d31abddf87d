/** Facts about this installation for support, without parcels, people or folders. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Type from 'typebox';
import { readPlan } from '../account/plan.ts';
import { packageVersion } from '../package-root.ts';
import { bytesWords, freeWords } from '../spec/bytes-words.ts';
import { noInput, strict } from '../spec/value-schemas.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { listenerOf } from '../work/listener-control.ts';
import { defineRead, type ReadContext } from './read.ts';

export const diagnostics = defineRead({
  name: 'diagnostics',
  docs: 'Versions, sizes and counts as text for support: no names, no addresses, no parcels, no folders, no keys.',
  input: noInput,
  output: Type.Object({ text: Type.String() }, strict),
  run: (_input, context) => ({ text: linesOf(context).join('\n') }),
});

/** Counted only, under their own name or a plainer one; their content is never read. */
const countedTables: readonly (readonly ['land' | 'people' | 'account', string, string?])[] = [
  ['land', 'parcels'],
  ['land', 'comps'],
  ['land', 'datasets'],
  ['account', 'ledger', 'uses'],
  ['account', 'api_keys'],
  ['account', 'saved_markets'],
  ['account', 'saved_searches'],
  ['account', 'lists'],
  ['account', 'notes'],
  ['account', 'stars'],
  ['account', 'feeds'],
];

function linesOf(context: ReadContext): string[] {
  const files = { land: context.land.file, people: context.people.file, account: context.account.file };
  const plan = readPlan(context.account);
  const listener = listenerOf(context).state();
  return [
    `Platbook ${packageVersion}, Node ${process.versions.node}, SQLite ${sqliteVersion(files.land)}`,
    `${os.platform()} ${os.arch()} ${os.release()}, ${os.availableParallelism()} processors, ${bytesWords(os.totalmem())} memory, ${freeWords(os.freemem())} free`,
    `Home: ${context.land.kind ?? 'empty'}, disk ${homeFreeWords(context.home)} free`,
    ...Object.entries(files).map(([name, file]) => fileLine(name, file)),
    countedTables.map(([file, table, words = table]) => `${words} ${countOf(files[file], table)}`).join(', '),
    `Plan: ${plan.tier ?? 'none'}, ${plan.tokens_included} included, cap ${plan.cap_tokens ?? 'none'}`,
    `API: ${listener.on ? `on, port ${listener.port}` : 'off'}${listener.problem === null ? '' : `, ${listener.problem}`}`,
    `Jobs: ${jobWords(context)}`,
  ];
}

const sqliteVersion = (file: SqliteFile): string => file.get<{ v: string }>('SELECT sqlite_version() AS v')?.v ?? '?';

const countOf = (file: SqliteFile, table: string): number =>
  file.get<{ n: number }>(`SELECT count(*) AS n FROM "${table}"`)?.n ?? 0;

function fileLine(name: string, file: SqliteFile): string {
  const bytes = (ending: string) => fs.statSync(file.path + ending, { throwIfNoEntry: false })?.size ?? 0;
  const format = String(file.pragma('user_version'));
  return `${name}.sqlite: ${bytesWords(bytes(''))}, log ${bytesWords(bytes('-wal'))}, format ${format}, ${String(file.pragma('journal_mode'))}`;
}

function homeFreeWords(home: string): string {
  try {
    const { bavail, bsize } = fs.statfsSync(path.resolve(home));
    return freeWords(bavail * bsize);
  } catch {
    return 'unknown';
  }
}

/** Kinds and codes only: titles name files, and messages may name rows. */
function jobWords({ jobs }: ReadContext): string {
  const listed = jobs.list();
  if (listed.length === 0) return 'none since the start';
  return listed.map(({ kind, state, error }) => `${kind} ${state}${error ? ` (${error.code})` : ''}`).join(', ');
}
