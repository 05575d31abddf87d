/**
 * `platbook import comps|contacts`: imports lists of listings, sales and persons, after showing how their columns are
 * read.
 */
import type { Command } from 'commander';
import type { ListKind } from '../importing/guess/list-proposal.ts';
import type { ContactImportReport } from '../importing/lists/contact-report.ts';
import type { CompImportReport } from '../importing/lists/import-comps.ts';
import { workerJobs } from '../jobs/job-kinds.ts';
import { EngineError } from '../spec/errors.ts';
import { askFile } from './ask-file.ts';
import { withEngine } from './home.ts';
import { runJob } from './job-run.ts';
import { listNextText, listProposalText } from './list-proposal-text.ts';
import { grouped, type Output, seconds } from './output.ts';
import { addSchemaOptions, givenFields } from './schema-options.ts';

interface ListFlags {
  readonly json?: boolean;
}

const { import_comps: comps, import_contacts: contacts } = workerJobs;

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
      withEngine(subcommand, output, async (engine) => {
        const given = givenFields(comps.input, flags);
        const mapping = given.mapping ?? (await proposed('comps', files[0] ?? '', output));
        const report = (await runJob(engine, output, 'import_comps', {
          ...given,
          files,
          ...(mapping === null ? {} : { mapping }),
        })) as CompImportReport;
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
      withEngine(subcommand, output, async (engine) => {
        const given = givenFields(contacts.input, flags);
        const mapping = given.mapping ?? (await proposed('contacts', file, output));
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
async function proposed(as: ListKind, file: string, output: Output): Promise<Readonly<Record<string, unknown>> | null> {
  const proposal = await askFile('propose_list', { path: file, as }, { output });
  if (proposal.lack !== null) {
    output.note([...listProposalText(proposal), '', listNextText(proposal, null)].join('\n'));
    throw new EngineError(
      'mapping_invalid',
      `${file}: nothing was imported, because no column was recognized as ${proposal.lack}. What was found is above.`,
    );
  }
  const used = proposal.fields.flatMap(({ field, source, options }) =>
    source === null || options ? [] : [`${field} from ${source}`],
  );
  output.note(
    `Columns: ${proposal.profile === null ? used.join(', ') : `the profile ${proposal.profile}`}. "platbook map --as ${as}" shows why.`,
  );
  return proposal.mapping;
}

const lines = (counts: readonly (readonly [number, string])[]): string[] =>
  counts.filter(([count]) => count > 0).map(([count, words]) => `  ${grouped(count)} ${words}`);

const problemLines = (problems: readonly { readonly row: number; readonly reason: string }[]): string[] =>
  problems.slice(0, 5).map(({ row, reason }) => `    row ${row}: ${reason}`);

function compsText(report: CompImportReport): string {
  const { source, date, rows_read: rows, left_out: leftOut, refused } = report;
  return [
    `${source}, ${date}: ${grouped(rows)} rows read in ${seconds(report.seconds * 1000)}`,
    `  ${grouped(report.new)} new, ${grouped(report.changed)} changed, ${grouped(report.unchanged)} unchanged`,
    ...lines([
      [report.linked_by_apn, 'linked to their parcel by APN'],
      [report.linked_by_place, 'linked to their parcel by place'],
      [report.unlinked, 'lie on no parcel that is loaded'],
      [report.without_lot_size, 'without acres'],
      [report.older, 'older than the stored ones'],
      [report.removed, 'no longer comps'],
      [report.repeated, 'rows repeat an id; the later counts'],
      [report.blank_rows, 'rows without a record'],
      ...Object.entries(leftOut).map(([reason, count]): [number, string] => [
        count,
        `left out: ${reason.replaceAll('_', ' ')}`,
      ]),
      [report.value_problems.count, 'values could not be read and are null'],
      [refused.count, 'refused'],
    ]),
    ...problemLines(refused.first),
  ].join('\n');
}

function contactsText(report: ContactImportReport): string {
  const { rows_refused: refused, phones_refused: phones, values_unread: unread, columns_ignored: ignored } = report;
  return [
    `${report.source}: ${grouped(report.rows)} rows read in ${seconds(report.seconds * 1000)}`,
    `  ${grouped(report.new)} new persons, ${grouped(report.changed)} changed, ${grouped(report.unchanged)} unchanged; ${grouped(report.phones_kept)} phones`,
    ...lines([
      [phones.count, 'invalid telephone numbers are left out'],
      [unread.count, 'flags and types in unknown words'],
      [refused.count, 'rows are left out'],
      [report.persons_opted_out, 'persons are left out: they are on the opt-out list'],
      [report.phones_opted_out, 'numbers of others are left out: they are on the opt-out list'],
    ]),
    ...problemLines(refused.first),
    ...(ignored.length > 0 ? [`  not used: ${ignored.join(', ')}`] : []),
  ].join('\n');
}
