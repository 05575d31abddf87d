/** data/DICTIONARY.md: every column of a parcel. */
import { expressionMembers } from '../importing/mapping-docs.ts';
import { columnTypes, parcelColumns } from '../spec/parcel-columns.ts';
import { code, generatedNote, markdownTable } from './markdown.ts';

const origins = {
  published: "from the county's file",
  derived: 'computed on import unless the file gives it',
  assigned: 'given by Platbook',
  computed: 'computed when read',
} as const;

const groups = [...new Set(parcelColumns.map((column) => column.group))];

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
    `The ${parcelColumns.length} columns of a parcel: fields of a detail answer, CSV headings and targets of an import. What a county does not publish is null: nothing is invented. "Read as null" are numbers that counties write where they know nothing; a mapping can say otherwise with \`nullIf\`.`,
    ...sections,
    '## Expressions of a mapping',
    'A mapping says for each column above where it comes from: the name of a column of the file, or an object with these members. They take effect in this order; another order is had by an expression in `from`.',
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
