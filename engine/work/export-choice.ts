/** Which parcels an export or a book is about, and the source of rows that a file is written from. */
import Type from 'typebox';
import type { Engine } from '../engine.ts';
import { type ExportPlane, type ExportSource, openExportSource, type WorkColumns } from '../exporting/export-source.ts';
import { type ExportFormat, markFormatNames } from '../exporting/index.ts';
import { codeOfName, planeOfCode } from '../importing/formats/crs/reference-system.ts';
import { rowOrderingField } from '../operations/parcel-list.ts';
import { boxNear, type FileMarks, marksForFile } from '../query/field-marks.ts';
import { validationError } from '../spec/errors.ts';
import { orNull, strict, type ValueOf } from '../spec/value-schemas.ts';
import { chosenIds, idSchema, idsSchema } from './chosen-parcels.ts';
import { keptBackIds } from './do-not-mail.ts';
import { exportWorkColumns, workColumnNames } from './export-work-columns.ts';
import { filterBodySchema } from './filter-body.ts';
import { type ListOf, listOrderingSchema, orderedMembers } from './list-order.ts';

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

export const chosenFields = {
  what: exportWhatSchema,
  title: Type.Optional(
    Type.String({ maxLength: 200, description: 'Name of the file; default: the name of the list, or "parcels".' }),
  ),
  leave_out_do_not_mail: Type.Optional(Type.Boolean()),
};
type Chosen = ValueOf<Type.TObject<typeof chosenFields>>;

/** What tells the parcels apart: reads have it too. */
type Home = Pick<Engine, 'land' | 'account'>;
type Files = Pick<Engine, 'home' | 'land' | 'account' | 'people' | 'now'>;

interface Standing {
  readonly ids: readonly number[];
  readonly title: string;
  readonly listId: number | undefined;
  readonly isOrdered: boolean;
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
    isOrdered: 'ordering' in what && Boolean(what.ordering),
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
  /** DXF: from `planeFor`. */
  readonly plane?: ExportPlane | undefined;
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

/** UTM zones of NAD83: 26901 to 26923. */
const utmCodes = 26_900;

/**
 * The plane that a format is drawn in: the one named, else the UTM zone of NAD83 in which the parcels' middle lies.
 * @param crs `EPSG:2225`, `2225` or Esri's number
 * @throws EngineError validation_error
 */
export function planeFor(
  engine: Pick<Engine, 'land'>,
  { ids }: Pick<Standing, 'ids'>,
  { name, isInPlane }: ExportFormat,
  crs: string | undefined,
): ExportPlane | undefined {
  if (!isInPlane) {
    if (crs === undefined) return undefined;
    throw validationError({ crs: [`expected dxf as format: the others are in longitude and latitude; found ${name}`] });
  }
  if (crs === undefined) {
    const box = boxNear(engine.land, ids);
    const longitude = box ? (box[0] + box[2]) / 2 : -93;
    return planeOfCode(utmCodes + Math.min(23, Math.max(1, Math.floor((longitude + 180) / 6) + 1)));
  }
  const code = codeOfName(crs);
  if (code === null)
    throw validationError({ crs: [`expected the number of a plane, like EPSG:2225, found ${JSON.stringify(crs)}`] });
  return planeOfCode(code);
}

export function openStanding(
  engine: Files,
  standing: Standing,
  { columns, leavesOutUnsafePhones, plane, outlines = false, marks = false }: OpenOptions,
): ExportSource {
  const { ids, title, listId, isOrdered } = standing;
  const work = exportWorkColumns(engine, { ids, leavesOutUnsafePhones, ...(listId === undefined ? {} : { listId }) });
  return openExportSource(engine.home, {
    title,
    ids,
    now: engine.now(),
    ...(columns ? { columns: withoutEmptyWork(columns, work) } : {}),
    ...(work ? { work } : {}),
    isOrdered,
    ...(plane && { plane }),
    outlines,
    ...(marks && { marks: marksNear(engine, ids) }),
  });
}

function marksNear(engine: Home, ids: readonly number[]): FileMarks {
  const box = boxNear(engine.land, ids);
  return box ? marksForFile(engine, { box }) : { waypoints: [], photos: [], tracks: [] };
}

/** A table shows columns of the user's work even when empty; a file leaves those out. */
const withoutEmptyWork = (names: readonly string[], work: WorkColumns | null): readonly string[] =>
  names.filter((name) => !workColumnNames.has(name) || work?.columns.some((column) => column.name === name));
