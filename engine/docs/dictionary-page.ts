/** data/DICTIONARY.md: every column of a parcel. */
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
    '',
  ].join('\n\n');
}
