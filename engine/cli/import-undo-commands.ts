/** `platbook datasets`, `undo`: lists, removes and restores what is loaded. */
import type { Command } from 'commander';
import type { Engine } from '../engine.ts';
import { listWaiting, type Waiting } from '../enrichment/waiting.ts';
import { type DatasetImport, listImports } from '../importing/merge/datasets.ts';
import type { DeleteReport } from '../importing/merge/delete-dataset.ts';
import { importChanges } from '../importing/merge/import-changes.ts';
import type { UndoReport } from '../importing/merge/undo-import.ts';
import type { TaskInput } from '../jobs/task-kinds.ts';
import { describeDatasets, listDatasets } from '../query/datasets.ts';
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { parseRowNumber } from './arguments.ts';
import { withEngine } from './home.ts';
import { runJob } from './job-run.ts';
import { waitingText } from './layer-commands.ts';
import { grouped, type Output, tableText } from './output.ts';

export function addUndoCommands(program: Command, output: Output): void {
  const datasets = program.command('datasets');
  addList(datasets, output);
  addCoverage(datasets, output);
  addImports(datasets, output);
  addChanges(datasets, output);
  addDelete(datasets, output);
  addUndo(program, output);
}

function addList(datasets: Command, output: Output): void {
  datasets
    .command('list', { isDefault: true })
    .description('source, jurisdiction, date, parcels')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }, command: Command) =>
      withEngine(command, output, ({ land }) => {
        if (options.json) {
          output.print(JSON.stringify(describeDatasets(land)));
          return;
        }
        const rows = listDatasets(land).map((dataset) => ({ ...dataset }));
        const columns = [
          ...['dataset_id', 'fips', 'county_name', 'jurisdiction', 'source_name', 'source_date'],
          ...['parcels', 'retired', 'imported_at'],
        ];
        output.print(tableText(columns, rows));
        for (const waiting of listWaiting(land)) output.note(waitingText(waiting));
        if (rows.length === 0) output.note('Nothing is loaded yet: "platbook import parcels …" or "platbook sample".');
      }),
    );
}

function addCoverage(datasets: Command, output: Output): void {
  datasets
    .command('coverage <dataset-id>')
    .description('the number of parcels with each column')
    .action((text: string, _options: unknown, command: Command) =>
      withEngine(command, output, ({ land }) => {
        const id = parseRowNumber(text, 'dataset');
        const dataset = describeDatasets(land).find((row) => row.dataset_id === id);
        if (!dataset) throw new EngineError('not_found', `There is no dataset ${id}.`);
        const rows = dataset.coverage.map(({ column, known }) => ({
          column,
          parcels: known,
          note: known === 0 ? 'not published' : '',
        }));
        output.print(tableText(['column', 'parcels', 'note'], rows));
        const layers = dataset.layers.map(({ kind, source_name: source }) => `${kind} (${source})`);
        output.note(`Completed from ${layers.length === 0 ? 'no layers' : layers.join(', ')}.`);
      }),
    );
}

function addImports(datasets: Command, output: Output): void {
  datasets
    .command('imports')
    .description('imports and deletions, newest first, and which can be undone')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }, command: Command) =>
      withEngine(command, output, ({ land }) => {
        const rows = listImports(land);
        if (options.json) {
          output.print(JSON.stringify(rows));
          return;
        }
        const lines = rows.map(({ counts, can_undo: canUndo, can_redo: canRedo, undone_at: undoneAt, ...row }) => ({
          ...row,
          ...counts,
          undo: undoneAt === null ? (canUndo ? 'yes' : 'no') : canRedo ? 'done, redo' : 'done',
        }));
        const columns = [
          ...['import_id', 'action', 'fips', 'source_name', 'source_date', 'done_at'],
          ...['new', 'changed', 'retired', 'removed', 'undo'],
        ];
        output.print(tableText(columns, lines));
      }),
    );
}

function addChanges(datasets: Command, output: Output): void {
  datasets
    .command('changes <import-id>')
    .description('what the latest import of a dataset did to its parcels: values before and now')
    .option('--json', 'print JSON')
    .action((text: string, options: { json?: boolean }, command: Command) =>
      withEngine(command, output, ({ land }) => {
        const changes = importChanges(land, parseRowNumber(text, 'import'));
        if (options.json) return output.print(JSON.stringify(changes));
        const rows = changes.listed.map(({ property_id, apn, what, values, is_redrawn: isRedrawn }) => ({
          property_id,
          apn,
          what,
          values: [
            ...values.map(({ column, before, now }) => `${column}: ${before ?? 'unknown'} → ${now ?? 'unknown'}`),
            ...(isRedrawn ? ['redrawn'] : []),
          ].join('; '),
        }));
        output.print(tableText(['property_id', 'apn', 'what', 'values'], rows));
        if (changes.parcels > rows.length)
          output.note(`The first ${grouped(rows.length)} of ${counted(changes.parcels, 'parcel', 'parcels')}.`);
      }),
    );
}

function addDelete(datasets: Command, output: Output): void {
  datasets
    .command('delete <dataset-id>')
    .description('remove the parcels of a dataset; "platbook undo" brings them back')
    .action((text: string, _options: unknown, command: Command) =>
      withEngine(command, output, async (engine) => {
        const input = { dataset_id: parseRowNumber(text, 'dataset') };
        const report = (await runJob(engine, output, 'delete_dataset', input)) as DeleteReport;
        output.print(
          `Dataset ${report.dataset_id} is removed with its ${counted(report.removed, 'parcel', 'parcels')}; "platbook undo ${report.import_id}" brings them back.`,
        );
      }),
    );
}

function addUndo(program: Command, output: Output): void {
  program
    .command('undo [import-id]')
    .option('--json', 'print the report as JSON')
    .action((text: string | undefined, options: { json?: boolean }, command: Command) =>
      withEngine(command, output, async (engine) => {
        if (text === undefined) throw askedBack(listImports(engine.land).find((row) => row.undone_at === null));
        const input = { import_id: parseRowNumber(text, 'import') };
        await undoOrRedo(engine, output, input, options.json);
      }),
    );
  program
    .command('redo [import-id]')
    .option('--json', 'print the report as JSON')
    .action((text: string | undefined, options: { json?: boolean }, command: Command) =>
      withEngine(command, output, async (engine) => {
        const id = text === undefined ? {} : { import_id: parseRowNumber(text, 'import') };
        await undoOrRedo(engine, output, { ...id, redo: true }, options.json);
      }),
    );
}

/** The latest may be an older one than the user means: an import that changed nothing leaves no row. */
function askedBack(latest: DatasetImport | undefined): EngineError {
  if (!latest) return new EngineError('not_found', 'There is no import to undo.');
  const { import_id: id, action, source_name: source, source_date: date, done_at: at, counts } = latest;
  const [what, back] = action === 'delete' ? ['the deletion of ', 'brings back'] : ['', `takes back what it did:`];
  return new EngineError(
    'usage',
    `The latest that changed something is number ${id}: ${what}${source} of ${date}, on ${at.slice(0, 10)}. "platbook undo ${id}" ${back} ${countWords(counts)}; "platbook redo ${id}" would do it again.`,
  );
}

const countWords = (counts: Readonly<Record<string, number>>): string => {
  const words = ['new', 'changed', 'retired', 'returned', 'removed'].flatMap((name) =>
    counts[name] ? [`${grouped(counts[name])} ${name}`] : [],
  );
  return words.length === 0 ? 'no parcels' : words.join(', ');
};

async function undoOrRedo(
  engine: Engine,
  output: Output,
  input: TaskInput<'undo_import'>,
  isJson = false,
): Promise<void> {
  const report = (await runJob(engine, output, 'undo_import', input)) as UndoReport & {
    readonly left_out: readonly Waiting[];
  };
  output.print(isJson ? JSON.stringify(report) : [undoneText(report), ...report.left_out.map(waitingText)].join('\n'));
}

function undoneText({ import_id: id, action, is_redone: isRedone, counts, parcels }: UndoReport): string {
  const it = counted(parcels, 'parcel', 'parcels');
  if (action === 'delete')
    return isRedone ? `The dataset is removed again with its ${it}.` : `The dataset is back, with ${it}.`;
  const what = `${it} (${countWords(counts)})`;
  return isRedone
    ? `Import ${id} is in again: ${what}. "platbook undo ${id}" takes it back.`
    : `Import ${id} is undone: ${what} stand as before it. "platbook redo ${id}" does it again.`;
}
