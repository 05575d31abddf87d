/** `platbook call`: one operation of the service. */
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { Engine } from '../engine.ts';
import { type AnyOperation, operations } from '../operations/index.ts';
import { tableColumns } from '../operations/operation.ts';
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { nearNames } from '../spec/validate.ts';
import { parseJson } from './arguments.ts';
import { type LandFlags, landHelp, landOption, plainPasswordOption, withLand } from './land-option.ts';
import { type Output, readableJson } from './output.ts';

interface CallFlags extends LandFlags {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly jsonl?: boolean;
  readonly all?: boolean;
}

const forms = ['json', 'csv', 'jsonl'] as const;

export function addCallCommand(program: Command, output: Output): void {
  program
    .command('call <operation> [json]')
    .option(...landOption)
    .option(...plainPasswordOption)
    .addOption(new Option('--json', 'print the answer on one line').conflicts([...forms.slice(1), 'all']))
    .addOption(new Option('--csv', 'print a list as the API does in CSV').conflicts('jsonl'))
    .option('--jsonl', 'print each result of a list on a line of its own')
    .option('--all', 'every page of a list, not one (with --csv or --jsonl)')
    .addHelpText(
      'after',
      `\nOperations: ${operations.map((operation) => operation.name).join(', ')}. Their fields are in engine/API.md. With - the input comes from standard input.\n\nExamples:\n  platbook call search_properties '{"fips":"33019","owner_name":"smith"}'\n  platbook call filter_properties - --all --csv < filter.json > lots.csv\n${landHelp}`,
    )
    .action((name: string, json: string | undefined, options: CallFlags, command: Command) =>
      withLand(command, output, { ...options, keptBytes: 0 }, (engine) => {
        const operation = requireOperation(name);
        const input = parseJson(json === '-' ? readFileSync(0, 'utf8') : json);
        return (options.all ? printAll : printOne)(engine, operation, input, options, output);
      }),
    );
}

type Print = (
  engine: Engine,
  operation: AnyOperation,
  input: unknown,
  options: CallFlags,
  output: Output,
) => Promise<void>;

const printOne: Print = async (engine, operation, input, options, output) => {
  const { data, tokens, notices } = await engine.callUnchecked(operation.name, input, { mode: 'script' });
  if (options.csv || options.jsonl) output.print(await listText(operation, input, data, options));
  else output.print(options.json ? JSON.stringify(data) : readableJson(data));
  for (const notice of notices) output.note(notice);
  if (!options.json) output.note(counted(tokens, 'token', 'tokens'));
};

const printAll: Print = async (engine, operation, input, options, output) => {
  if (!options.csv && !options.jsonl) throw new EngineError('usage', '--all prints rows: add --csv or --jsonl.');
  const results: unknown[] = [];
  for await (const result of engine.each(operation.name as never, input as never)) results.push(result);
  if (results.length > 0 || options.csv) output.print(await listText(operation, input, { results }, options));
  output.note(counted(results.length, 'result', 'results'));
};

/** The rows of a list without the last line's end. @throws EngineError usage where the answer is no list */
async function listText(
  { name, table }: AnyOperation,
  input: unknown,
  data: unknown,
  { csv }: CallFlags,
): Promise<string> {
  if (csv) {
    if (!table) throw new EngineError('usage', `${name} has no CSV; leave out --csv.`);
    const { csvText } = await import('../http/csv.ts');
    return csvText(tableColumns(table, input as never), table.rows(data as never)).replace(/\r\n$/, '\r');
  }
  const { results } = data as { readonly results?: unknown };
  if (!Array.isArray(results)) throw new EngineError('usage', `${name} answers no list; leave out --jsonl.`);
  return results.map((result) => JSON.stringify(result)).join('\n');
}

function requireOperation(name: string): AnyOperation {
  const found = operations.find((operation) => operation.name === name);
  if (found) return found;
  const known = operations.map((operation) => operation.name);
  const near = nearNames(name, known);
  throw new EngineError(
    'usage',
    `there is no operation ${JSON.stringify(name)}${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : `: ${known.join(', ')}`}`,
  );
}
