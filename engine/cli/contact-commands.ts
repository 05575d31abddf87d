/** `platbook contacts delete|allow`: a person who asks to be left alone, by name and place or by number. */
import type { Command } from 'commander';
import type { UnwantedContact } from '../people/unwanted.ts';
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { withEngine } from './home.ts';
import type { Output } from './output.ts';

interface Options {
  firstName?: string;
  lastName?: string;
  city?: string;
  state?: string;
  zip?: string;
  phone?: string;
  yes?: boolean;
  json?: boolean;
}

const addWho = (command: Command): Command =>
  command
    .option('--first-name <name>')
    .option('--last-name <name>')
    .option('--zip <zip>', 'where the person lives; or city and state')
    .option('--city <city>')
    .option('--state <state>')
    .option('--phone <number>', 'everyone with this number, in place of a name')
    .option('--json', 'print JSON');

function unwantedOf({ firstName, lastName, city, state, zip, phone }: Options): UnwantedContact {
  if (firstName === undefined && lastName === undefined) return { phone };
  const place = Object.fromEntries(Object.entries({ city, state, zip }).filter(([, text]) => text !== undefined));
  return { person: { firstName: firstName ?? '', lastName: lastName ?? '', ...place }, phone };
}

export function addContactCommands(program: Command, output: Output): void {
  const contacts = program.command('contacts');
  addWho(contacts.command('delete'))
    .description('delete a person for good, and keep later lists from bringing the person back')
    .option('--yes', 'it cannot be undone: required')
    .addHelpText(
      'after',
      '\nExamples:\n  platbook contacts delete --first-name Ana --last-name Ferreira --zip 45402 --yes\n  platbook contacts delete --phone "(937) 555-0117" --yes',
    )
    .action((options: Options, command: Command) =>
      withEngine(command, output, async (engine) => {
        if (!options.yes)
          throw new EngineError('usage', 'Expected --yes: a deleted person cannot be brought back by Platbook.');
        const deleted = await engine.deleteContact(unwantedOf(options));
        if (options.json) return output.print(JSON.stringify(deleted));
        const { records, numbers, other_records: others, traces, copies } = deleted;
        output.print(
          [
            `Deleted ${counted(records, 'contact record', 'contact records')} and ${counted(traces, 'kept trace', 'kept traces')}; ${counted(numbers, 'number is', 'numbers are')} on the opt-out list, ${counted(others, 'other record', 'other records')} lost one.`,
            ...(copies.length > 0 ? [`Cleaned too: ${copies.join(', ')}.`] : []),
            ...deleted.still_held,
          ].join('\n'),
        );
      }),
    );
  addWho(contacts.command('allow'))
    .description('take a person or number off the opt-out list: lists imported from now on may bring them again')
    .action((options: Options, command: Command) =>
      withEngine(command, output, (engine) => {
        const entries = engine.allowContact(unwantedOf(options));
        if (options.json) return output.print(JSON.stringify({ entries }));
        output.print(
          entries === 0
            ? 'The opt-out list does not hold this person.'
            : `Taken off: ${counted(entries, 'entry', 'entries')}.`,
        );
      }),
    );
}
