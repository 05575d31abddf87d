/**
 * Derives a command's options from the schema of its input: a field with an `x-option` is an option, and its
 * description the help. `county_column` with `<name>` becomes `--county-column <name>`, while `--qualified <codes>`
 * keeps its own name; a required field becomes a required option. Checks county codes and splits lists at commas.
 */
import { type Command, Option } from 'commander';
import type { TObject, TSchema } from 'typebox';
import type { ValueOf } from '../spec/value-schemas.ts';
import { parseFips } from './arguments.ts';

type Field = TSchema & {
  readonly 'x-option'?: string;
  /** May be given several times. */
  readonly 'x-repeats'?: boolean;
  readonly description?: string;
  readonly const?: string;
  readonly type?: string;
};

function fieldOptions({ properties, required }: TObject): [name: string, option: Option][] {
  return Object.entries(properties as Record<string, Field>).flatMap(([name, field]) => {
    const { 'x-option': value, 'x-repeats': repeats = false, description, const: only, type } = field;
    if (value === undefined) return [];
    const flags = value.startsWith('--') ? value : `--${name.replaceAll('_', '-')} ${value}`;
    const option = new Option(flags.trimEnd(), description);
    if (only !== undefined) option.choices([only]);
    if (value === '<fips>') option.argParser(parseFips);
    if (type === 'array') option.argParser((text) => text.split(','));
    if (type === 'integer') option.argParser(Number);
    if (repeats) option.argParser((text, before?: readonly string[]) => [...(before ?? []), text]);
    return [[name, option.makeOptionMandatory((required as string[] | undefined)?.includes(name) ?? false)]];
  });
}

/** @param only names of the fields offered by this command; absent: all with an `x-option` */
export function addSchemaOptions(command: Command, schema: TObject, only?: readonly string[]): Command {
  for (const [name, option] of fieldOptions(schema)) if (only?.includes(name) ?? true) command.addOption(option);
  return command;
}

/** The fields given as options; the job decides the absent ones. */
export const givenFields = <Schema extends TObject>(schema: Schema, flags: object): Partial<ValueOf<Schema>> =>
  Object.fromEntries(
    fieldOptions(schema).flatMap(([name, option]) => {
      const value = (flags as Record<string, unknown>)[option.attributeName()];
      return value === undefined ? [] : [[name, value]];
    }),
  ) as Partial<ValueOf<Schema>>;
