/** `platbook sql 'SELECT …'`: read-only SQL on the land file. */
import type { Command } from 'commander';
import { defaultSeconds } from '../sql/sql-questions.ts';
import { withEngine } from './home.ts';
import { type Output, tableText } from './output.ts';

/** A cell as one line in a terminal. */
const cell = (value: unknown): unknown => (value instanceof Uint8Array ? `(${value.length} bytes)` : value);

export function addSqlCommand(program: Command, output: Output): void {
  program
    .command('sql <statement>')
    .option('--seconds <number>', 'time limit in seconds', String(defaultSeconds))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      "\nExamples:\n  platbook sql \"SELECT name, sql FROM sqlite_schema WHERE type = 'table'\"\n  platbook sql 'SELECT zoning, count(*) AS parcels FROM parcels GROUP BY zoning ORDER BY 2 DESC'",
    )
    .action((statement: string, options: { json?: boolean; seconds: string }, command: Command) =>
      withEngine(command, output, (engine) => {
        const rows = engine
          .sql(statement, [], { seconds: Number(options.seconds) })
          .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cell(value)])));
        if (options.json) return output.print(JSON.stringify(rows));
        const [first] = rows;
        output.print(first ? tableText(Object.keys(first), rows) : 'No rows.');
      }),
    );
}
