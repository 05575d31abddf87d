/** Field notes as a file: waypoints, photos, tracks, and the outlines of the parcels that they lie on. */
import Type from 'typebox';
import type { Engine } from '../engine.ts';
import { safeFileName } from '../exporting/export-shelf.ts';
import { type ExportSource, openExportSource } from '../exporting/export-source.ts';
import { exportFormat, markFormatNames, writeExport } from '../exporting/index.ts';
import { type FileMarks, marksForFile } from '../query/field-marks.ts';
import { boxSchema, choiceSchema, count, fipsSchema, normalFips, strict } from '../spec/value-schemas.ts';
import { madeFileSchema, shelve } from '../work/made-file.ts';
import { tellLocal } from '../work/tell-local.ts';
import { defineRead } from './read.ts';

/** Columns of a parcel that say whose land it is. */
const columns = ['property_id', 'apn', 'acres', 'owner_name', 'situs_address'];

interface Where {
  readonly box?: readonly [number, number, number, number] | undefined;
  readonly county?: string | undefined;
}

type Home = Pick<Engine, 'home' | 'land' | 'account' | 'now'>;

interface FieldSource {
  readonly source: ExportSource;
  readonly marks: FileMarks;
}

/** All marks, those in a box, or those in the box around a county's parcels. Close the source. */
export function openFieldNotes(engine: Home, where: Where, title = 'field notes'): FieldSource {
  const marks = marksForFile(engine, where);
  const lots = [...marks.waypoints, ...marks.photos].map(({ property_id: id }) => id);
  const ids = [...new Set(lots)].filter((id) => id !== null);
  const source = openExportSource(engine.home, { title, ids, columns, outlines: true, marks, now: engine.now() });
  return { source, marks };
}

const made = Type.Object(
  {
    ...madeFileSchema.properties,
    waypoints: count(),
    tracks: count(),
    photos: count(),
    parcels: count('Whose outlines are in it.'),
    notes: Type.Array(Type.String()),
  },
  strict,
);

export const makeFieldExport = defineRead({
  name: 'make_field_export',
  docs: 'Writes waypoints, photos’ places and tracks, with the outlines of the parcels they lie on, into a GPX or KML for download from /app/download/<id>: all, those in a box, or those of a county. Free.',
  input: Type.Object(
    {
      format: choiceSchema(markFormatNames),
      box: Type.Optional(boxSchema),
      county: Type.Optional(fipsSchema()),
      title: Type.Optional(Type.String({ maxLength: 200 })),
    },
    strict,
  ),
  output: made,
  run: async ({ format: name, box, county, title }, engine) => {
    const format = exportFormat(name);
    const where = { box, county: county === undefined ? undefined : normalFips(county) };
    const { source, marks } = await tellLocal(async () => openFieldNotes(engine, where, title?.trim() || undefined));
    try {
      const file = safeFileName(source.title, format.ending);
      const { made: shelved, told } = await shelve(engine, file, (target) => writeExport(source, format, target));
      const { waypoints, tracks, photos } = marks;
      return {
        ...shelved,
        waypoints: waypoints.length,
        tracks: tracks.length,
        photos: photos.length,
        parcels: source.count,
        notes: told,
      };
    } finally {
      source.close();
    }
  },
});
