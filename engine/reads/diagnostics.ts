/** What somebody who helps needs to know of this installation, and nothing of parcels, people or folders. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Type from 'typebox';
import { readPlan } from '../account/plan.ts';
import { packageVersion } from '../package-root.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { listenerOf } from '../work/listener-control.ts';
import { defineRead, type ReadContext } from './read.ts';

export const diagnostics = defineRead<Record<string, never>, { text: string }>({
  name: 'diagnostics',
  docs: 'Versions, sizes and counts as text to be sent to somebody who helps: no names, no addresses, no parcels, no folders, no keys.',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({ text: Type.String() }, { additionalProperties: false }),
  run: (_input, context) => ({ text: linesOf(context).join('\n') }),
});

/** Counted; never their content. */
const countedTables: readonly (readonly ['land' | 'people' | 'account', string])[] = [
  ['land', 'parcels'],
  ['land', 'comps'],
  ['land', 'datasets'],
  ['account', 'ledger'],
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
    `${os.platform()} ${os.arch()} ${os.release()}, ${os.availableParallelism()} processors, ${gigabytes(os.totalmem())} memory, ${gigabytes(os.freemem())} free`,
    `Home: ${context.land.kind ?? 'empty'}, disk ${freeWords(context.home)} free`,
    ...Object.entries(files).map(([name, file]) => fileLine(name, file)),
    countedTables.map(([file, table]) => `${table} ${countOf(files[file], table)}`).join(', '),
    `Plan: ${plan.tier ?? 'none'}, ${plan.tokens_included} included, cap ${plan.cap_tokens ?? 'none'}`,
    `API: ${listener.on ? `on, port ${listener.port}` : 'off'}${listener.problem === null ? '' : `, ${listener.problem}`}`,
    `Jobs: ${jobWords(context)}`,
  ];
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

const sqliteVersion = (file: SqliteFile): string => file.get<{ v: string }>('SELECT sqlite_version() AS v')?.v ?? '?';

const countOf = (file: SqliteFile, table: string): number =>
  file.get<{ n: number }>(`SELECT count(*) AS n FROM "${table}"`)?.n ?? 0;

function fileLine(name: string, file: SqliteFile): string {
  const bytes = (ending: string) => fs.statSync(file.path + ending, { throwIfNoEntry: false })?.size ?? 0;
  const format = String(file.pragma('user_version'));
  return `${name}.sqlite: ${(bytes('') / 1e6).toFixed(1)} MB, log ${(bytes('-wal') / 1e6).toFixed(1)} MB, format ${format}, ${String(file.pragma('journal_mode'))}`;
}

function freeWords(home: string): string {
  try {
    const { bavail, bsize } = fs.statfsSync(path.resolve(home));
    return gigabytes(bavail * bsize);
  } catch {
    return 'unknown';
  }
}

/** Kinds and codes alone: titles name files, and messages may name rows. */
function jobWords({ jobs }: ReadContext): string {
  const listed = jobs.list();
  if (listed.length === 0) return 'none since the start';
  return listed.map(({ kind, state, error }) => `${kind} ${state}${error ? ` (${error.code})` : ''}`).join(', ');
}
