/**
 * Writes GPX 1.1 for GPS devices: a waypoint on the surface of each parcel that has a location; its outline as a track, if
 * wanted, since GPX has no polygons; waypoints, photos and tracks of the field.
 */
import type { FileMarks } from '../query/field-marks.ts';
import { notASurvey } from '../spec/not-a-survey.ts';
import type { ExportColumn } from './export-columns.ts';
import { type ExportRow, type ExportSource, headingOf } from './export-source.ts';
import { type Sink, withFile } from './file-sink.ts';
import {
  marksLeftOut,
  ownElements,
  ownNamespace,
  photoWords,
  placedPhotos,
  walkedTracks,
  waypointWords,
} from './mark-words.ts';
import { xmlText } from './xml-text.ts';

/** Columns in the description of a waypoint; devices show a few lines at most. */
const described = ['owner_name', 'acres', 'calculated_acres', 'situs_address'];

function description(columns: readonly ExportColumn[], { values }: ExportRow): string {
  const parts = described.flatMap((name) => {
    const place = columns.findIndex((column) => column.name === name);
    const column = columns[place];
    const value = values[place];
    if (!column || value === null || value === undefined) return [];
    return [column.kind === 'number' ? `${headingOf(column)}: ${value}` : String(value)];
  });
  return parts.join('; ');
}

interface GpxPoint {
  readonly longitude: number;
  readonly latitude: number;
  readonly time?: string;
  readonly name: string;
  readonly words: string;
  readonly type: string;
  readonly elevation_m?: number | null;
  readonly symbol?: string | null;
  /** XML. */
  readonly own?: string;
}

const element = (name: string, text: string | undefined): string =>
  text === undefined || text === '' ? '' : `<${name}>${xmlText(text)}</${name}>`;

const elevation = (meters: number | null | undefined): string => (meters == null ? '' : `<ele>${meters}</ele>`);

const extensions = (xml: string): string => (xml === '' ? '' : `<extensions>${xml}</extensions>`);

const waypoint = ({ longitude, latitude, time, name, words, type, own = '', ...more }: GpxPoint): string =>
  `<wpt lat="${latitude}" lon="${longitude}">${elevation(more.elevation_m)}${element('time', time)}<name>${xmlText(name)}</name>${element('desc', words)}${element('sym', more.symbol ?? undefined)}${element('type', type)}${extensions(own)}</wpt>\n`;

/**
 * @param head elements before the segments, as XML
 * @param lines of `lat`, `lon` and more of each point, as XML
 */
const track = (head: string, lines: readonly (readonly string[])[]): string =>
  `<trk>${head}${lines.map((points) => `<trkseg>${points.join('')}</trkseg>`).join('')}</trk>\n`;

const trackPoint = (longitude: number, latitude: number, more = ''): string =>
  `<trkpt lat="${latitude}" lon="${longitude}">${more}</trkpt>`;

function outline({ name, shape }: ExportRow): string {
  const rings = (shape ?? []).flat().map((ring) => {
    const points: string[] = [];
    for (let at = 0; at < ring.length; at += 2) points.push(trackPoint(ring[at] as number, ring[at + 1] as number));
    return points;
  });
  return rings.length === 0 ? '' : track(`${element('name', name)}<type>outline</type>`, rings);
}

const ownValues = ({ note, extras, accuracy_meters }: FileMarks['waypoints'][number]): string =>
  ownElements({ note, extras, accuracy_meters });

function putMarkPoints(sink: Sink, marks: FileMarks): void {
  for (const mark of marks.waypoints)
    sink.put(
      waypoint({ ...mark, time: mark.made_at, words: waypointWords(mark), type: 'waypoint', own: ownValues(mark) }),
    );
  for (const photo of placedPhotos(marks)) sink.put(waypoint({ ...photo, words: photoWords(photo), type: 'photo' }));
}

function putTracks(sink: Sink, marks: FileMarks): void {
  for (const { name, note, extras, segments } of walkedTracks(marks)) {
    const lines = segments.map((points) =>
      points.map(({ longitude, latitude, at, elevation_m: meters, extras: own }) =>
        trackPoint(
          longitude,
          latitude,
          `${elevation(meters)}${element('time', at ?? undefined)}${extensions(ownElements({ extras: own }))}`,
        ),
      ),
    );
    const head = `<name>${xmlText(name)}</name>${element('desc', note ?? undefined)}<type>track</type>`;
    sink.put(track(`${head}${extensions(ownElements({ extras }))}`, lines));
  }
}

/** @returns how many parcels have no location */
async function putParcels(sink: Sink, source: ExportSource): Promise<number> {
  let placeless = 0;
  for await (const rows of source.batches()) {
    for (const row of rows) {
      if (!row.point) {
        placeless++;
        continue;
      }
      const [longitude, latitude] = row.point;
      sink.put(
        waypoint({ longitude, latitude, name: row.name, words: description(source.columns, row), type: 'parcel' }),
      );
    }
    await sink.flush();
  }
  return placeless;
}

async function putOutlines(sink: Sink, source: ExportSource): Promise<void> {
  for await (const rows of source.batches()) {
    for (const row of rows) sink.put(outline(row));
    await sink.flush();
  }
}

export const writeGpx = (source: ExportSource, filePath: string): Promise<string[]> =>
  withFile(filePath, async (sink) => {
    const { marks } = source;
    sink.put(
      `<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="Platbook" xmlns="http://www.topografix.com/GPX/1/1" ${ownNamespace}><metadata><name>${xmlText(source.title)}</name><desc>${notASurvey}</desc><time>${source.madeAt.toISOString()}</time></metadata>\n`,
    );
    // GPX has all points before all tracks.
    const placeless = await putParcels(sink, source);
    if (marks) putMarkPoints(sink, marks);
    if (source.outlines) await putOutlines(sink, source);
    if (marks) putTracks(sink, marks);
    sink.put('</gpx>\n');
    return [
      ...(placeless === 0 ? [] : [`${placeless} of ${source.count} parcels have no location and are left out.`]),
      ...(marks ? marksLeftOut(marks) : []),
    ];
  });
