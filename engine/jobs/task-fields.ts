/** Fields that several tasks share: how a file is read and joined. */
import Type from 'typebox';
import { accountChoices } from '../spec/accounts.ts';
import { columnChoices, joinRowsExample } from '../spec/join-rows.ts';
import { maxTables } from '../spec/table-names.ts';

const shortText = { minLength: 1, maxLength: 4096 };
/** A path, a name, a code. */
export const text = Type.String(shortText);

/** A text that is also an option of the command line, with its description as help: `--county <fips>`. */
export const option = (value: string, description: string) =>
  Type.String({ ...shortText, 'x-option': value, description });
export const optional = (value: string, description: string) => Type.Optional(option(value, description));

/** For titles that stand above the headings and are taken for them. */
export const headerField = {
  header_row: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 1000, 'x-option': '<number>', 'x-expected': 'a whole number from 1 to 1000' },
      description: 'row of the headings in CSV and XLSX files, where it is not found by itself',
    }),
  ),
};

/** How a file of parcels or of a layer is read. */
export const readingFields = {
  layer: optional('<name>', 'which layer, where the file holds several ("platbook look" lists them)'),
  crs: optional('<code>', 'coordinate system, like EPSG:3437, where the file does not say it'),
  ...headerField,
  where: optional(
    '<condition>',
    'only rows that meet it, like "TYPE = \'Taxlot\'": with =, <>, <, >, IN (…), LIKE, IS NULL, AND, OR, NOT; the others are counted',
  ),
};
/** For a file of parcels. */
export const parcelReadingFields = {
  ...readingFields,
  without_shapes: Type.Optional(
    Type.Boolean({
      'x-option': '',
      description: 'the file is a roll (CSV, DBF, XLSX): its rows are parcels without shapes, not on the map',
    }),
  ),
};
/** One table, or several in the order of the mapping's joins. */
export const joinField = {
  join: Type.Optional(
    Type.Union([text, Type.Array(text, { minItems: 1, maxItems: maxTables })], {
      ...{ 'x-option': '<table>', 'x-repeats': true },
      description: 'CSV, DBF or XLSX table to join; may stand several times',
    }),
  ),
  join_rows: optional(
    '<choice>',
    `several rows of one key: first, last, or for each column ${columnChoices.join(', ')}, like "${joinRowsExample}"`,
  ),
};

/** The key of each table, in the order of `join`. */
export const joinKeyField = {
  join_key: Type.Optional(
    Type.Union([text, Type.Array(text, { minItems: 1, maxItems: maxTables })], {
      ...{ 'x-option': '<columns>', 'x-repeats': true },
      description:
        'the columns that join a table, where they are not found by themselves: "MAP+BLOCK+LOT=MBLU", parcels first',
    }),
  ),
};

export const accountsField = {
  accounts: Type.Optional(
    Type.Union(
      accountChoices.map((choice) => Type.Literal(choice)),
      {
        'x-option': `<${accountChoices.join('|')}>`,
        'x-expected': `one of ${accountChoices.join(', ')}`,
        description:
          'rows of the table without a parcel, like condominiums and mobile homes: stacked places them on the lot whose number theirs begins with, without acres; by default they are left out',
      },
    ),
  ),
};

/** A repeated option: tables, their keys. */
export const joinFilesOf = (join: string | readonly string[] | undefined): readonly string[] =>
  join === undefined ? [] : typeof join === 'string' ? [join] : join;
