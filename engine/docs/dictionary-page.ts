/** The text of data/DICTIONARY.md: every column of parcels, comps and contacts, and the expressions of a mapping. */
import { expressionMembers } from '../importing/mapping/mapping-docs.ts';
import { personColumns, phoneColumns } from '../importing/values/contact-fields.ts';
import { compTarget } from '../importing/values/mapping-target.ts';
import { columnTypes, parcelColumns } from '../spec/parcel-columns.ts';
import { code, generatedNote, markdownTable } from './markdown.ts';

const origins = {
  published: "from the county's file",
  derived: 'computed on import unless the file gives it',
  assigned: 'given by Platbook',
  computed: 'computed when read',
} as const;

const groups = [...new Set(parcelColumns.map((column) => column.group))];

interface ListColumn {
  readonly name: string;
  readonly label: string;
  readonly docs: string;
  readonly unit?: string;
}

const listTable = (columns: readonly ListColumn[]): string =>
  markdownTable(
    ['column', 'label', 'unit', 'meaning'],
    columns.map(({ name, label, unit = '', docs }) => [code(name), label, unit, docs]),
  );

export function dictionaryPage(): string {
  const sections = groups.map((group) => {
    const rows = parcelColumns
      .filter((column) => column.group === group)
      .map((column) => [
        code(column.name),
        column.label,
        `${columnTypes[column.type].docs}${column.unit ? ` (${column.unit})` : ''}`,
        origins[column.origin],
        column.nullIf ? column.nullIf.join(', ') : '',
        column.docs,
      ]);
    return `## ${group}\n\n${markdownTable(['column', 'label', 'type', 'origin', 'read as null', 'meaning'], rows)}`;
  });
  return [
    generatedNote('engine/spec/parcel-columns.ts'),
    '# Parcel dictionary',
    `The ${parcelColumns.length} columns of a parcel: fields of a detail answer, CSV headings and targets of an import. A value that the county does not publish is null: nothing is invented. "Read as null" lists numbers that counties write for unknown values; a mapping can change them with \`nullIf\`.`,
    ...sections,
    '## Comps',
    'The columns that a file of listings or sales can fill.',
    listTable(compTarget.columns),
    '## Contacts',
    'The columns that a list of persons can fill. N counts the phones of a row, from 1 to 100.',
    listTable([...personColumns, ...Object.values(phoneColumns('N'))]),
    '## Expressions of a mapping',
    'A mapping of parcels, comps or contacts gives the source of each column above: the name of a column of the file, or an object with these members. They apply in this order; for another order, nest an expression in `from`.',
    markdownTable(
      ['member', 'meaning', 'example'],
      Object.entries(expressionMembers).map(([name, { docs, example }]) => [
        code(name),
        docs,
        code(JSON.stringify(example)),
      ]),
    ),
    '',
  ].join('\n\n');
}
