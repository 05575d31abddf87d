/**
 * Writes DXF for CAD programs: AutoCAD R12 (AC1009), which all of them read. Each ring of a parcel is a closed polyline on
 * the layer LOTS, in the units of the source's plane; APN and owner are texts on layers of their own, a parcel without a
 * shape is a point. Reference: Autodesk, DXF Reference, "Polyline", "Vertex", "Text".
 */
import { planarRingArea } from '../geo/geometry.ts';
import { notASurvey } from '../spec/not-a-survey.ts';
import type { ExportPlane, ExportRow, ExportSource } from './export-source.ts';
import { type Sink, withFile } from './file-sink.ts';

/** Name, and number of the color (of AutoCAD's index, 7: black or white). */
const layers = [
  ['LOTS', 7],
  ['POINTS', 7],
  ['APN', 5],
  ['OWNER', 8],
  ['NOTE', 1],
] as const;

/** Lines of a group code and its value. */
const groups = (...pairs: readonly (readonly [code: number, value: string | number])[]): string =>
  pairs.map(([code, value]) => `${String(code).padStart(3)}\n${value}\n`).join('');

/** A tenth of a millimeter, and less. */
const number = (value: number): string => value.toFixed(4);

/** ASCII: other letters as AutoCAD escapes them; signs that it reads as codes stand for themselves. */
const dxfText = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replaceAll('^', '^ ')
    .replaceAll('%%', '% %')
    .replaceAll('\\', '/')
    .replace(/[^\x20-\x7e]/g, (letter) =>
      Array.from(
        { length: letter.length },
        (_, at) => `\\U+${letter.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}`,
      ).join(''),
    )
    .slice(0, 250);

const unitWords = (plane: ExportPlane): string =>
  plane.metersPerUnit === 1 ? 'meters' : plane.metersPerUnit === 0.3048 ? 'feet' : 'US survey feet';

function head(source: ExportSource, plane: ExportPlane): string {
  const day = source.madeAt.toISOString().slice(0, 10);
  const from = source.sources.map(({ name, date }) => `${name}, ${date}`).join('; ');
  const notes = [source.title, `${plane.name} (EPSG:${plane.code}), ${unitWords(plane)}`, from, `Platbook, ${day}`];
  return [
    ...notes.map((note) => groups([999, dxfText(note)])),
    groups([999, dxfText(notASurvey)]),
    groups([0, 'SECTION'], [2, 'HEADER'], [9, '$ACADVER'], [1, 'AC1009'], [0, 'ENDSEC']),
    groups([0, 'SECTION'], [2, 'TABLES'], [0, 'TABLE'], [2, 'LAYER'], [70, layers.length]),
    ...layers.map(([name, color]) => groups([0, 'LAYER'], [2, name], [70, 0], [62, color], [6, 'CONTINUOUS'])),
    groups([0, 'ENDTAB'], [0, 'ENDSEC'], [0, 'SECTION'], [2, 'ENTITIES']),
  ].join('');
}

/** @param ring in the plane, its first point repeated at the end */
function polyline(ring: Float64Array): string {
  const parts = [groups([0, 'POLYLINE'], [8, 'LOTS'], [66, 1], [70, 1], [10, '0.0'], [20, '0.0'], [30, '0.0'])];
  for (let at = 0; at + 3 < ring.length; at += 2)
    parts.push(
      groups(
        [0, 'VERTEX'],
        [8, 'LOTS'],
        [10, number(ring[at] as number)],
        [20, number(ring[at + 1] as number)],
        [30, '0.0'],
      ),
    );
  parts.push(groups([0, 'SEQEND'], [8, 'LOTS']));
  return parts.join('');
}

/** Centered on its point. */
const textOf = (layer: string, text: string, x: number, y: number, height: number): string =>
  text === ''
    ? ''
    : groups(
        ...([
          [0, 'TEXT'],
          [8, layer],
          [10, number(x)],
          [20, number(y)],
          [30, '0.0'],
          [40, number(height)],
        ] as const),
        ...([
          [1, dxfText(text)],
          [72, 1],
          [11, number(x)],
          [21, number(y)],
          [31, '0.0'],
          [73, 2],
        ] as const),
      );

/** Meters. */
const [leastText, mostText] = [0.8, 40];

function rowText({ shape, point, values }: ExportRow, plane: ExportPlane, places: Places): string {
  const rings = (shape ?? []).flat().map((ring) => {
    const drawn = Float64Array.from(ring);
    plane.fromWgs84(drawn);
    return drawn;
  });
  const at = point ? Float64Array.from(point) : null;
  if (at) plane.fromWgs84(at);
  const [x = 0, y = 0] = at ?? [];
  const area = Math.max(0, ...rings.map((ring) => Math.abs(planarRingArea(ring))));
  const [least, most] = [leastText / plane.metersPerUnit, mostText / plane.metersPerUnit];
  const height = Math.min(most, Math.max(least, Math.sqrt(area) / 14));
  const cell = (place: number): string => String(values[place] ?? '');
  return [
    ...rings.map(polyline),
    ...(rings.length === 0 && at
      ? [groups([0, 'POINT'], [8, 'POINTS'], [10, number(x)], [20, number(y)], [30, '0.0'])]
      : []),
    ...(at
      ? [
          textOf('APN', cell(places.apn), x, y, height),
          textOf('OWNER', cell(places.owner), x, y - 1.6 * height, height * 0.8),
        ]
      : []),
  ].join('');
}

interface Places {
  readonly apn: number;
  readonly owner: number;
}

async function writeEntities(source: ExportSource, plane: ExportPlane, sink: Sink): Promise<number> {
  const placeOf = (name: string) => source.columns.findIndex((column) => column.name === name);
  const places = { apn: placeOf('apn'), owner: placeOf('owner_name') };
  let placeless = 0;
  for await (const rows of source.batches()) {
    for (const row of rows) {
      if (!row.shape && !row.point) placeless++;
      sink.put(rowText(row, plane, places));
    }
    await sink.flush();
  }
  return placeless;
}

/** @returns sentences about losses, and the plane */
export const writeDxf = (source: ExportSource, filePath: string): Promise<string[]> =>
  withFile(filePath, async (sink) => {
    const { plane } = source;
    if (!plane) throw new TypeError('a DXF needs a plane');
    sink.put(head(source, plane));
    const placeless = await writeEntities(source, plane, sink);
    sink.put(groups([0, 'ENDSEC'], [0, 'EOF']));
    await sink.flush();
    const lost = placeless === 0 ? [] : [`${placeless} of ${source.count} parcels have no place and are not drawn.`];
    return [...lost, `In ${plane.name} (EPSG:${plane.code}), ${unitWords(plane)}. ${notASurvey}`];
  });
