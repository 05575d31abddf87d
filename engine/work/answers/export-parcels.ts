/** Exports parcels: files of every format, letters and labels, and text for the clipboard. All of it is free. */

import Type from 'typebox';
import type { Engine } from '../../engine.ts';
import { safeFileName } from '../../exporting/export-shelf.ts';
import { type ExportSource, openExportSource, type WorkColumns } from '../../exporting/export-source.ts';
import { writeWhole } from '../../exporting/file-sink.ts';
import {
  type ExportFormat,
  exportFormat,
  exportFormatNames,
  markFormatNames,
  writeExport,
} from '../../exporting/index.ts';
import { labelSheets } from '../../exporting/label-sheets.ts';
import { writeLabels } from '../../exporting/labels-pdf.ts';
import { mailFormats } from '../../exporting/mail-formats.ts';
import { mailSource, mergeMail } from '../../exporting/mail-merge.ts';
import { plainNumber } from '../../exporting/text-cells.ts';
import { rowOrderingField } from '../../operations/parcel-list.ts';
import { boxNear, type FileMarks, marksForFile } from '../../query/field-marks.ts';
import { validationError } from '../../spec/errors.ts';
import { choiceSchema, count, orNull, strict, type ValueOf } from '../../spec/value-schemas.ts';
import { chosenIds, idSchema, idsSchema } from '../chosen-parcels.ts';
import { isDoNotMail, keptBackIds, readDoNotMail } from '../do-not-mail.ts';
import { exportWorkColumns, workColumnNames } from '../export-work-columns.ts';
import { filterBodySchema } from '../filter-body.ts';
import { type ListOf, listOrderingSchema, orderedMembers } from '../list-order.ts';
import { tellLocal } from '../tell-local.ts';
import { defineAnswer } from './answer.ts';
import { madeFileSchema, shelve } from './made-file.ts';

/** Part of a list, and the order of its table. */
const ofListFields = {
  ids: Type.Optional(idsSchema),
  ordering: Type.Optional(orNull(listOrderingSchema)),
};

/** The source of an export: a paid search, a frozen list, the starred parcels, or parcels chosen by hand. */
export const exportWhatSchema = Type.Union(
  [
    Type.Object({ filter: filterBodySchema, ordering: Type.Optional(rowOrderingField) }, strict),
    Type.Object({ list_id: idSchema, ...ofListFields }, strict),
    Type.Object({ starred: Type.Literal(true), ...ofListFields }, strict),
    Type.Object({ ids: idsSchema }, strict),
  ],
  { 'x-expected': '{ filter, ordering }, { list_id, ids, ordering }, { starred: true, ids, ordering } or { ids }' },
);

export type ExportWhat = ValueOf<typeof exportWhatSchema>;

const chosenFields = {
  what: exportWhatSchema,
  title: Type.Optional(
    Type.String({ maxLength: 200, description: 'Name of the file; default: the name of the list, or "parcels".' }),
  ),
  leave_out_do_not_mail: Type.Optional(Type.Boolean()),
};
type Chosen = ValueOf<Type.TObject<typeof chosenFields>>;

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

/** What tells the parcels apart: reads have it too. */
type Home = Pick<Engine, 'land' | 'account'>;

interface Standing {
  readonly ids: readonly number[];
  readonly title: string;
  readonly listId: number | undefined;
  readonly leftOut: number;
}

/** @throws EngineError not_found for a deleted list; validation_error */
export function standingParcels(engine: Home, { what, title, leave_out_do_not_mail: leavesOut }: Chosen): Standing {
  const { ids, name } = idsOf(engine, what);
  const kept = leavesOut ? keptBackIds(engine, ids) : new Set<number>();
  return {
    ids: kept.size === 0 ? ids : ids.filter((id) => !kept.has(id)),
    title: title?.trim() || name || 'parcels',
    listId: 'list_id' in what ? what.list_id : undefined,
    leftOut: kept.size,
  };
}

function idsOf(engine: Home, what: ExportWhat): { ids: readonly number[]; name: string | null } {
  if ('list_id' in what)
    return { ids: listedIds(engine, { list_id: what.list_id }, what), name: listName(engine, what) };
  if ('starred' in what) return { ids: listedIds(engine, { starred: true }, what), name: 'starred' };
  return { ids: chosenIds(engine, what), name: null };
}

function listedIds(
  engine: Home,
  of: ListOf,
  { ids, ordering }: ValueOf<Type.TObject<typeof ofListFields>>,
): readonly number[] {
  const members = orderedMembers(engine, of, ordering);
  if (ids === undefined) return members;
  const wanted = new Set(ids);
  return members.filter((id) => wanted.has(id));
}

export const listName = ({ account: { file } }: Home, { list_id: id }: { readonly list_id: number }): string | null =>
  file.get<{ name: string }>('SELECT name FROM lists WHERE list_id = ?', id)?.name ?? null;

interface OpenOptions {
  readonly columns?: readonly string[] | undefined;
  readonly leavesOutUnsafePhones: boolean;
  /** GPX: outlines beside the points. */
  readonly outlines?: boolean | undefined;
  /** GPX and KML: waypoints, photos and tracks near the parcels. */
  readonly marks?: boolean | undefined;
}

/** @throws EngineError validation_error for marks or outlines in a format that cannot hold them */
export function requireMarkFormat(
  { name, holdsMarks }: ExportFormat,
  { outlines, marks }: Pick<OpenOptions, 'outlines' | 'marks'>,
): void {
  if (marks && !holdsMarks)
    throw validationError({ field_marks: [`expected one of ${markFormatNames.join(', ')} as format, found ${name}`] });
  if (outlines && name !== 'gpx')
    throw validationError({
      outlines: [`expected gpx as format: the others have outlines anyway, or none; found ${name}`],
    });
}

export function openStanding(
  engine: Engine,
  standing: Standing,
  { columns, leavesOutUnsafePhones, outlines = false, marks = false }: OpenOptions,
): ExportSource {
  const { ids, title, listId } = standing;
  const work = exportWorkColumns(engine, { ids, leavesOutUnsafePhones, ...(listId === undefined ? {} : { listId }) });
  return openExportSource(engine.home, {
    title,
    ids,
    now: engine.now(),
    ...(columns ? { columns: withoutEmptyWork(columns, work) } : {}),
    ...(work ? { work } : {}),
    outlines,
    ...(marks && { marks: marksNear(engine, ids) }),
  });
}

function marksNear(engine: Engine, ids: readonly number[]): FileMarks {
  const box = boxNear(engine.land, ids);
  return box ? marksForFile(engine, { box }) : { waypoints: [], photos: [], tracks: [] };
}

/** A table shows columns of the user's work even when empty; a file leaves those out. */
const withoutEmptyWork = (names: readonly string[], work: WorkColumns | null): readonly string[] =>
  names.filter((name) => !workColumnNames.has(name) || work?.columns.some((column) => column.name === name));

const leftOutNote = (count: number): string[] =>
  count === 0 ? [] : [`${count === 1 ? '1 parcel is' : `${count} parcels are`} left out: Do not mail.`];

export const makeExport = defineAnswer({
  name: 'make_export',
  docs: 'Writes parcels into a file for download from /app/download/<id> within 24 hours. Free: the matches of a filter were paid for by the search.',
  input: Type.Object(
    {
      ...chosenFields,
      format: choiceSchema(exportFormatNames, { expected: 'the name of a format' }),
      columns: columnsSchema,
      leave_out_unsafe_phones: Type.Optional(Type.Boolean({ description: 'Absent: yes.' })),
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

export const makeMailMerge = defineAnswer({
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

export const makeTsv = defineAnswer({
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
