/** `platbook datasets`, `undo`: lists, removes and restores what is loaded. */
import type { Command } from 'commander';
import { listWaiting, type Waiting } from '../enrichment/waiting.ts';
import { listImports } from '../importing/merge/datasets.ts';
import type { DeleteReport } from '../importing/merge/delete-dataset.ts';
import type { UndoReport } from '../importing/merge/undo-import.ts';
import { describeDatasets, listDatasets } from '../query/datasets.ts';
import { EngineError } from '../spec/errors.ts';
import { parseRowNumber } from './arguments.ts';
import { requireHome, withEngine } from './home.ts';
import { runJob } from './job-run.ts';
import { waitingText } from './layer-commands.ts';
import { grouped, type Output, tableText } from './output.ts';

export function addUndoCommands(program: Command, output: Output): void {
  const datasets = program.command('datasets').description('what is loaded, and which columns are published');
  addList(datasets, output);
  addCoverage(datasets, output);
  addImports(datasets, output);
  addDelete(datasets, output);
  addUndo(program, output);
}

function addList(datasets: Command, output: Output): void {
  datasets
    .command('list', { isDefault: true })
    .description('source, jurisdiction, date, parcels')
    .option('--json', 'print JSON')
    .hook('preAction', (_program, command) => requireHome(command))
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
    .hook('preAction', (_program, command) => requireHome(command))
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
    .hook('preAction', (_program, command) => requireHome(command))
    .action((options: { json?: boolean }, command: Command) =>
      withEngine(command, output, ({ land }) => {
        const rows = listImports(land);
        if (options.json) {
          output.print(JSON.stringify(rows));
          return;
        }
        const lines = rows.map(({ counts, can_undo: canUndo, undone_at: undoneAt, ...row }) => ({
          ...row,
          ...counts,
          undo: undoneAt === null ? (canUndo ? 'yes' : 'no') : 'done',
        }));
        const columns = [
          ...['import_id', 'action', 'fips', 'source_name', 'source_date', 'done_at'],
          ...['new', 'changed', 'retired', 'removed', 'undo'],
        ];
        output.print(tableText(columns, lines));
      }),
    );
}

function addDelete(datasets: Command, output: Output): void {
  datasets
    .command('delete <dataset-id>')
    .description('remove the parcels of a dataset; "platbook undo" brings them back')
    .hook('preAction', (_program, command) => requireHome(command))
    .action((text: string, _options: unknown, command: Command) =>
      withEngine(command, output, async (engine) => {
        const input = { dataset_id: parseRowNumber(text, 'dataset') };
        const report = (await runJob(engine, output, 'delete_dataset', input)) as DeleteReport;
        output.print(
          `Dataset ${report.dataset_id} is removed with its ${grouped(report.removed)} parcels; "platbook undo ${report.import_id}" brings them back.`,
        );
      }),
    );
}

function addUndo(program: Command, output: Output): void {
  program
    .command('undo [import-id]')
    .description(
      'restore a county to its state before the latest import, or before the given one ("datasets imports" lists them)',
    )
    .option('--json', 'print the report as JSON')
    .hook('preAction', (_program, command) => requireHome(command))
    .action((text: string | undefined, options: { json?: boolean }, command: Command) =>
      withEngine(command, output, async (engine) => {
        const input = text === undefined ? {} : { import_id: parseRowNumber(text, 'import') };
        const report = (await runJob(engine, output, 'undo_import', input)) as UndoReport & {
          readonly left_out: readonly Waiting[];
        };
        output.print(
          options.json ? JSON.stringify(report) : [undoneText(report), ...report.left_out.map(waitingText)].join('\n'),
        );
      }),
    );
}

const undoneText = ({ import_id: id, action, restored, removed }: UndoReport): string =>
  action === 'delete'
    ? `The dataset is back, with ${grouped(restored)} parcels.`
    : `Import ${id} is undone: ${grouped(restored)} parcels are restored, ${grouped(removed)} added ones are removed.`;
