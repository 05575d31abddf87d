/**
 * `platbook import comps|contacts`: imports lists of listings, sales and persons, after showing how their columns are
 * read.
 */
import type { Command } from 'commander';
import type { ListKind } from '../importing/guess/list-proposal.ts';
import type { ContactImportReport } from '../importing/lists/contact-report.ts';
import type { CompImportReport } from '../importing/lists/import-comps.ts';
import { tasks } from '../jobs/task-kinds.ts';
import { compImportLines, type TestedCounties, testedLines } from '../spec/comp-import-lines.ts';
import { contactImportLines } from '../spec/contact-import-lines.ts';
import { counted } from '../spec/counted.ts';
import { defined } from '../spec/defined.ts';
import { EngineError } from '../spec/errors.ts';
import { askFile } from './ask-file.ts';
import { withNewEngine } from './home.ts';
import { runJob } from './job-run.ts';
import { listNextText, listProposalText } from './list-proposal-text.ts';
import { grouped, type Output, seconds } from './output.ts';
import { addSchemaOptions, givenFields } from './schema-options.ts';

interface ListFlags {
  readonly json?: boolean;
}

const { import_comps: comps, import_contacts: contacts } = tasks;

export function addListImports(importCommand: Command, output: Output): void {
  addComps(importCommand, output);
  addContacts(importCommand, output);
}

function addComps(importCommand: Command, output: Output): void {
  const command = importCommand
    .command('comps <files...>')
    .description('listings and sales of land (CSV, XLSX, DBF, GeoJSON); the same source id again is an update');
  addSchemaOptions(command, comps.input)
    .option('--json', 'print the report as JSON')
    .addHelpText('after', '\nExample:\n  platbook import comps redfin_2026-11-20.csv --mapping redfin --county 33019')
    .action((files: string[], flags: ListFlags, subcommand: Command) =>
      withNewEngine(subcommand, output, async (engine) => {
        const given = givenFields(comps.input, flags);
        const mapping = given.mapping ?? (await proposed('comps', files[0] ?? '', given, output));
        const report = (await runJob(engine, output, 'import_comps', {
          ...given,
          files,
          ...(mapping === null ? {} : { mapping }),
        })) as TestedReport<CompImportReport>;
        output.print(flags.json ? JSON.stringify(report) : compsText(report));
      }),
    );
}

function addContacts(importCommand: Command, output: Output): void {
  const command = importCommand
    .command('contacts <file>')
    .description('your own contact records for skip trace (CSV, XLSX, DBF); they stay in people.sqlite');
  addSchemaOptions(command, contacts.input)
    .option('--json', 'print the report as JSON')
    .addHelpText('after', '\nExample:\n  platbook import contacts my_list.csv --source "county list 2026"')
    .action((file: string, flags: ListFlags, subcommand: Command) =>
      withNewEngine(subcommand, output, async (engine) => {
        const given = givenFields(contacts.input, flags);
        const mapping = given.mapping ?? (await proposed('contacts', file, given, output));
        const report = (await runJob(engine, output, 'import_contacts', {
          ...given,
          file,
          ...(mapping === null ? {} : { mapping }),
        })) as ContactImportReport;
        output.print(flags.json ? JSON.stringify(report) : contactsText(report));
      }),
    );
}

/**
 * Reports columns that were chosen automatically; shows uncertain ones instead of using them.
 * @throws EngineError mapping_invalid
 */
async function proposed(
  as: ListKind,
  file: string,
  { header_row }: { readonly header_row?: number },
  output: Output,
): Promise<Readonly<Record<string, unknown>> | null> {
  const proposal = await askFile('propose_list', { path: file, as, ...defined({ header_row }) }, { output });
  if (proposal.lack !== null) {
    output.note([...listProposalText(proposal), '', listNextText(proposal, null)].join('\n'));
    throw new EngineError(
      'mapping_invalid',
      `${file}: nothing was imported: it lacks ${proposal.lack}. What was found is above.`,
    );
  }
  const used = proposal.fields.flatMap(({ field, source, options }) =>
    source === null || options ? [] : [`${field} from ${source}`],
  );
  output.note(
    `Columns: ${proposal.profile === null ? used.join(', ') : `the profile ${proposal.profile}`}. "platbook map --as ${as}" shows why.`,
  );
  if (proposal.left_out !== null) output.note(`Not read: ${proposal.left_out}.`);
  return proposal.mapping;
}

const shownRows = 10;

const problemLines = (problems: readonly { readonly row: number; readonly reason: string }[]): string[] =>
  problems.slice(0, shownRows).map(({ row, reason }) => `    row ${row}: ${reason}`);

/** With what the comps did to values. */
export type TestedReport<Report> = Report & TestedCounties;

function compsText(report: TestedReport<CompImportReport>): string {
  const { source, date, rows_read: rows, refused } = report;
  return [
    `${source}, ${date}: ${counted(rows, 'row', 'rows')} read in ${seconds(report.seconds * 1000)}`,
    `  ${grouped(report.new)} new, ${grouped(report.changed)} changed, ${grouped(report.unchanged)} unchanged`,
    ...compImportLines(report).map(({ count, words }) => `  ${grouped(count)} ${words}`),
    ...problemLines([...refused.first, ...report.screened]),
    ...testedLines(report).map(({ words }) => words),
  ].join('\n');
}

function contactsText(report: ContactImportReport): string {
  const { rows_refused: refused, columns_ignored: ignored } = report;
  return [
    `${report.source}: ${counted(report.rows, 'row', 'rows')} read in ${seconds(report.seconds * 1000)}`,
    ...contactImportLines(report).flatMap(({ count, words, reasons }) => [
      `  ${grouped(count)} ${words}`,
      ...reasons.map(([reason, times]) => `    ${grouped(times)}: ${reason}`),
    ]),
    ...(refused.count > 0 ? ['  first rows left out:', ...problemLines(refused.first)] : []),
    ...(ignored.length > 0 ? [`  not used: ${ignored.join(', ')}`] : []),
  ].join('\n');
}
