/** Exports parcels: files of every format, letters and labels, and text for the clipboard. All of it is free. */

import { writeFile } from 'node:fs/promises';
import Type from 'typebox';
import { safeFileName } from '../exporting/export-shelf.ts';
import { writeWhole } from '../exporting/file-sink.ts';
import { exportFormat, exportFormatNames, writeExport } from '../exporting/index.ts';
import { labelSheets } from '../exporting/label-sheets.ts';
import { writeLabels } from '../exporting/labels-pdf.ts';
import { mailFormats } from '../exporting/mail-formats.ts';
import { mailSource, mergeMail } from '../exporting/mail-merge.ts';
import { plainNumber } from '../exporting/text-cells.ts';
import { choiceSchema, count, noInput, strict, type ValueOf } from '../spec/value-schemas.ts';
import { dealsCsv } from '../work/deals-csv.ts';
import { isDoNotMail, readDoNotMail } from '../work/do-not-mail.ts';
import { chosenFields, openStanding, planeFor, requireMarkFormat, standingParcels } from '../work/export-choice.ts';
import { madeFileSchema, shelve } from '../work/made-file.ts';
import { tellLocal } from '../work/tell-local.ts';
import { defineRead } from './read.ts';

const columnsSchema = Type.Optional(
  Type.Array(Type.String({ maxLength: 100 }), {
    maxItems: 200,
    description:
      'Columns of the dictionary, of the user’s work, and derived columns of the table (`effective_acres`); default: all but the derived ones.',
  }),
);

const madeFile = Type.Object(
  {
    ...madeFileSchema.properties,
    parcels: count(),
    notes: Type.Array(Type.String(), { description: 'Sentences about what the format cannot hold.' }),
  },
  strict,
);
export type MadeFile = ValueOf<typeof madeFile>;

const leftOutNote = (count: number): string[] =>
  count === 0 ? [] : [`${count === 1 ? '1 parcel is' : `${count} parcels are`} left out: Do not mail.`];

export const makeExport = defineRead({
  name: 'make_export',
  docs: 'Writes parcels into a file for download from /app/download/<id> within 24 hours. Free: the matches of a filter were paid for by the search.',
  input: Type.Object(
    {
      ...chosenFields,
      format: choiceSchema(exportFormatNames, { expected: 'the name of a format' }),
      columns: columnsSchema,
      leave_out_unsafe_phones: Type.Optional(Type.Boolean({ description: 'Absent: yes.' })),
      crs: Type.Optional(
        Type.String({
          maxLength: 100,
          'x-expected': 'the number of a plane, like "EPSG:2225"',
          description: 'DXF: the plane that it is drawn in; absent: the UTM zone.',
        }),
      ),
      outlines: Type.Optional(Type.Boolean({ description: 'GPX: the outline of each parcel as a track.' })),
      field_marks: Type.Optional(
        Type.Boolean({ description: 'GPX, KML: waypoints, photos and tracks within 500 m of the parcels’ box.' }),
      ),
    },
    strict,
  ),
  output: madeFile,
  run: async (input, engine) => {
    const format = exportFormat(input.format);
    const more = { outlines: input.outlines, marks: input.field_marks };
    requireMarkFormat(format, more);
    const standing = standingParcels(engine, input);
    const source = await tellLocal(async () =>
      openStanding(engine, standing, {
        columns: input.columns,
        leavesOutUnsafePhones: input.leave_out_unsafe_phones ?? true,
        plane: planeFor(engine, standing, format, input.crs),
        ...more,
      }),
    );
    try {
      const name = safeFileName(standing.title, format.ending);
      const { made, told } = await shelve(engine, name, (target) => writeExport(source, format, target));
      return { ...made, parcels: source.count, notes: [...told, ...leftOutNote(standing.leftOut)] };
    } finally {
      source.close();
    }
  },
});

const leftOutSchema = Type.Object(
  { gone: Type.Integer(), do_not_mail: Type.Integer(), no_address: Type.Integer(), no_name: Type.Integer() },
  strict,
);

const madeMail = Type.Object({ ...madeFile.properties, letters: count(), left_out: leftOutSchema }, strict);
export type MadeMail = ValueOf<typeof madeMail>;

const { leave_out_do_not_mail: _never, ...mailFields } = chosenFields;

export const makeMailMerge = defineRead({
  name: 'make_mail_merge',
  docs: 'One row or label for each mailing address of the owners of parcels. Owners on Do not mail and retired parcels are always left out, and counted.',
  input: Type.Object(
    {
      ...mailFields,
      format: choiceSchema(
        mailFormats.map(({ name }) => name),
        { expected: 'xlsx, csv or a sheet of labels' },
      ),
    },
    strict,
  ),
  output: madeMail,
  run: async ({ format, ...chosen }, engine) => {
    const { ids, title } = standingParcels(engine, chosen);
    const doNotMail = readDoNotMail(engine.account);
    const merge = await mergeMail(engine.home, { ids, isKeptBack: (parcel) => isDoNotMail(doNotMail, parcel) });
    const madeAt = engine.now();
    const sheet = labelSheets.find(({ name }) => name === format);
    const name = safeFileName(`${title} ${sheet ? format : 'letters'}`, sheet ? 'pdf' : exportFormat(format).ending);
    const { made, told } = await shelve(engine, name, (target) =>
      sheet
        ? writeWhole(target, (temporary) => writeLabels(merge.rows, sheet, { title, madeAt }, temporary))
        : writeExport(mailSource(merge, title, madeAt), exportFormat(format), target),
    );
    const { gone, doNotMail: kept, noAddress, noName } = merge.leftOut;
    const leftOut = { gone, do_not_mail: kept, no_address: noAddress, no_name: noName };
    return { ...made, parcels: merge.parcels, notes: told, letters: merge.rows.length, left_out: leftOut };
  },
});

/** Spreadsheets have trouble pasting more than this. */
const mostCopiedRows = 20_000;

export const makeTsv = defineRead({
  name: 'make_tsv',
  docs: 'Parcels as tab-separated text for the clipboard, at most 20,000 rows: for Google Sheets, which cannot read local files.',
  input: Type.Object({ ...chosenFields, columns: columnsSchema }, strict),
  output: Type.Object({ text: Type.String(), rows: Type.Integer(), of: Type.Integer() }, strict),
  run: async (input, engine) => {
    const standing = standingParcels(engine, input);
    const ids = standing.ids.slice(0, mostCopiedRows);
    const source = openStanding(engine, { ...standing, ids }, { columns: input.columns, leavesOutUnsafePhones: true });
    try {
      const lines = [source.columns.map(({ name }) => name).join('\t')];
      for await (const rows of source.batches()) {
        for (const { values } of rows) lines.push(values.map(tsvCell).join('\t'));
      }
      return { text: `${lines.join('\n')}\n`, rows: source.count, of: standing.ids.length };
    } finally {
      source.close();
    }
  },
});

/** The clipboard format has no quotes: separators become blanks, and formulas get a guard. */
function tsvCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return plainNumber(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return value.replace(/[\t\r\n]+/g, ' ').replace(/^(?=[=+\-@])/, "'");
}

/** The whole desk, for a spreadsheet or another program. */
export const makeDealsCsv = defineRead({
  name: 'make_deals_csv',
  docs: 'Writes every deal in every stage, with its timeline, into a CSV for download from /app/download/<id>; `import_deals` reads it back whole. Free.',
  input: noInput,
  output: Type.Object({ ...madeFileSchema.properties, deals: count() }, strict),
  run: async (_input, engine) => {
    const { text, deals } = dealsCsv(engine);
    const { made } = await shelve(engine, 'desk.csv', (target) => writeFile(target, text));
    return { ...made, deals };
  },
});
