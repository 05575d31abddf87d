/**
 * Files as twelve apps and devices write them, generated from their documented forms, with what they hold beside them: the
 * oracle of the readers' tests.
 */
import { makeZip } from '../../support/make-zip.ts';

export interface Fact {
  readonly longitude: number;
  readonly latitude: number;
  readonly time: string | null;
  readonly elevation_m: number | null;
}

export interface WaypointFact extends Fact {
  readonly name: string;
  readonly note: string | null;
}

export interface TrackFact {
  readonly name: string;
  readonly segments: readonly (readonly Fact[])[];
}

export interface WalkFacts {
  readonly waypoints: readonly WaypointFact[];
  readonly tracks: readonly TrackFact[];
}

export interface Dialect {
  readonly app: string;
  readonly ending: string;
  /** Which facts the app's form cannot hold: these are null in what is expected. */
  readonly lacks?: readonly (
    | 'waypoint time'
    | 'track time'
    | 'track elevation'
    | 'waypoint elevation'
    | 'note'
    | 'segments'
  )[];
  readonly onlyTracks?: true;
  readonly write: (walk: WalkFacts) => string | Buffer;
}

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
/** Without milliseconds, as most devices write it. */
const seconds = (time: string): string => time.replace('.000Z', 'Z');
const tag = (name: string, text: string | number | null): string =>
  text === null ? '' : `<${name}>${xml(String(text))}</${name}>`;
const timeTag = (name: string, time: string | null): string => tag(name, time === null ? null : seconds(time));

interface GpxForm {
  readonly head: string;
  readonly wpt?: (waypoint: WaypointFact) => string;
  readonly trk?: string;
  readonly point?: string;
  /** The element of the note. */
  readonly note?: 'desc' | 'cmt' | 'both';
}

function gpx(form: GpxForm): (walk: WalkFacts) => string {
  const note = (text: string | null) =>
    form.note === 'both' ? tag('cmt', text) + tag('desc', text) : tag(form.note ?? 'desc', text);
  const point = (name: string, at: Fact, more: string) =>
    `<${name} lat="${at.latitude}" lon="${at.longitude}">${tag('ele', at.elevation_m)}${timeTag('time', at.time)}${more}</${name}>`;
  return ({ waypoints, tracks }) =>
    `${form.head}\n${waypoints
      .map((one) => point('wpt', one, `${tag('name', one.name)}${note(one.note)}${form.wpt?.(one) ?? ''}`))
      .join('\n')}\n${tracks
      .map(
        ({ name, segments }) =>
          `<trk>${tag('name', name)}${form.trk ?? ''}${segments
            .map((points) => `<trkseg>${points.map((at) => point('trkpt', at, form.point ?? '')).join('\n')}</trkseg>`)
            .join('')}</trk>`,
      )
      .join('\n')}\n</gpx>\n`;
}

const gpxHead = (creator: string, more = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="${creator}" xmlns="http://www.topografix.com/GPX/1/1" ${more}>\n<metadata><name>Not a mark</name><time>2026-01-01T00:00:00Z</time></metadata>`;

const position = (at: Fact, separator: string) =>
  [at.longitude, at.latitude, ...(at.elevation_m === null ? [] : [at.elevation_m])].join(separator);

const kmlFile = (body: string, more = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2" ${more}><Document><name>Not a mark</name><Style id="a"><IconStyle><Icon><href>http://127.0.0.1:9/icon.png</href></Icon></IconStyle></Style>${body}</Document></kml>`;

const cdata = (text: string | null) =>
  text === null ? '' : `<description><![CDATA[${text.replaceAll(']]>', '')}]]></description>`;
const point = (at: Fact) => `<Point><coordinates>\n   ${position(at, ',')}\n </coordinates></Point>`;
const lines = (segments: TrackFact['segments']) => {
  const all = segments.map(
    (points) =>
      `<LineString><coordinates>${points.map((at) => position(at, ',')).join('\n')}</coordinates></LineString>`,
  );
  return all.length === 1 ? all[0] : `<MultiGeometry>${all.join('')}</MultiGeometry>`;
};
const gxTrack = (points: readonly Fact[]) =>
  `<gx:Track>${points.map(({ time }) => `<when>${time ?? ''}</when>`).join('')}${points.map((at) => `<gx:coord>${position(at, ' ')}</gx:coord>`).join('')}</gx:Track>`;

const feature = (geometry: object, properties: object) => ({ type: 'Feature', properties, geometry });
const collection = (features: readonly object[]) => JSON.stringify({ type: 'FeatureCollection', features });
const coordinates = (at: Fact) => [at.longitude, at.latitude, ...(at.elevation_m === null ? [] : [at.elevation_m])];
const geoLines = (segments: TrackFact['segments'], of: (at: Fact) => unknown) =>
  segments.length === 1
    ? { type: 'LineString', coordinates: segments[0]?.map(of) }
    : { type: 'MultiLineString', coordinates: segments.map((points) => points.map(of)) };

const cell = (value: string | number | null) => `"${String(value ?? '').replaceAll('"', '""')}"`;
const csv = (rows: readonly (readonly (string | number | null)[])[]) =>
  rows.map((row) => row.map(cell).join(',')).join('\r\n');

export const dialects: readonly Dialect[] = [
  {
    app: 'Garmin',
    ending: 'gpx',
    write: gpx({
      head: gpxHead(
        'GPSMAP 66i',
        'xmlns:gpxx="http://www.garmin.com/xmlschemas/GpxExtensions/v3" xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"',
      ),
      note: 'both',
      wpt: () =>
        '<sym>Flag, Blue</sym><type>user</type><extensions><gpxx:WaypointExtension><gpxx:DisplayMode>SymbolAndName</gpxx:DisplayMode></gpxx:WaypointExtension></extensions>',
      trk: '<extensions><gpxx:TrackExtension><gpxx:DisplayColor>Cyan</gpxx:DisplayColor></gpxx:TrackExtension></extensions>',
      point:
        '<extensions><gpxtpx:TrackPointExtension><gpxtpx:atemp>21.0</gpxtpx:atemp><gpxtpx:hr>96</gpxtpx:hr></gpxtpx:TrackPointExtension></extensions>',
    }),
  },
  {
    app: 'onX',
    ending: 'gpx',
    write: gpx({
      head: gpxHead('onX', 'xmlns:onx="https://wwww.onxmaps.com/"'),
      wpt: () => '<extensions><onx:color>rgba(255,51,0,1)</onx:color><onx:icon>Gate</onx:icon></extensions>',
      trk: '<extensions><onx:color>rgba(0,51,0,1)</onx:color><onx:style>solid</onx:style><onx:weight>4.0</onx:weight></extensions>',
    }),
  },
  {
    app: 'Gaia GPS',
    ending: 'gpx',
    write: gpx({
      head: gpxHead('GaiaGPS', 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'),
      wpt: () => '<sym>known-route</sym>',
      trk: '<extensions><line xmlns="http://www.topografix.com/GPX/gpx_style/0/2"><color>ff0000</color></line></extensions>',
    }),
  },
  {
    app: 'Avenza Maps',
    ending: 'kml',
    lacks: ['track time'],
    write: ({ waypoints, tracks }) =>
      kmlFile(
        `<Folder><name>Layer 1</name>${waypoints
          .map(
            (one) =>
              `<Placemark>${tag('name', one.name)}${cdata(one.note)}${one.time === null ? '' : `<TimeStamp>${timeTag('when', one.time)}</TimeStamp>`}<styleUrl>#a</styleUrl><ExtendedData><Data name="Photo count"><value>0</value></Data></ExtendedData>${point(one)}</Placemark>`,
          )
          .join('')}${tracks
          .map(
            ({ name, segments }) =>
              `<Placemark>${tag('name', name)}<styleUrl>#a</styleUrl>${lines(segments)}</Placemark>`,
          )
          .join('')}</Folder>`,
      ),
  },
  {
    app: 'OsmAnd',
    ending: 'gpx',
    write: gpx({
      head: gpxHead('OsmAnd 4.8.3', 'xmlns:osmand="https://osmand.net/docs/technical/osmand-file-formats/osmand-gpx"'),
      wpt: () =>
        '<type>Favorites</type><extensions><osmand:icon>special_star</osmand:icon><osmand:background>circle</osmand:background><osmand:color>#eecc22</osmand:color></extensions>',
      point: '<hdop>3.2</hdop><extensions><osmand:speed>1.3</osmand:speed></extensions>',
    }),
  },
  {
    app: 'Organic Maps',
    ending: 'kmz',
    lacks: ['waypoint elevation'],
    write: ({ waypoints, tracks }) =>
      makeZip([
        {
          name: 'doc.kml',
          content: kmlFile(
            `<visibility>1</visibility><ExtendedData xmlns:mwm="https://omaps.app"><mwm:accessRules>Local</mwm:accessRules></ExtendedData>${waypoints
              .map(
                (one) =>
                  `<Placemark>${tag('name', one.name)}${cdata(one.note)}${one.time === null ? '' : `<TimeStamp>${timeTag('when', one.time)}</TimeStamp>`}<styleUrl>#placemark-red</styleUrl><Point><coordinates>${one.longitude},${one.latitude}</coordinates></Point><ExtendedData xmlns:mwm="https://omaps.app"><mwm:name><mwm:lang code="default">${xml(one.name)}</mwm:lang></mwm:name><mwm:scale>17</mwm:scale><mwm:icon>Viewpoint</mwm:icon></ExtendedData></Placemark>`,
              )
              .join('')}${tracks
              .map(
                ({ name, segments }) =>
                  `<Placemark>${tag('name', name)}<Style><LineStyle><color>FF0000E6</color><width>5</width></LineStyle></Style>${segments.length === 1 ? gxTrack(segments[0] ?? []) : `<gx:MultiTrack>${segments.map(gxTrack).join('')}</gx:MultiTrack>`}</Placemark>`,
              )
              .join('')}`,
            'xmlns:mwm="https://omaps.app"',
          ),
        },
      ]),
  },
  {
    app: 'Locus Map',
    ending: 'gpx',
    write: gpx({
      head: gpxHead('Locus Map, Android', 'xmlns:locus="http://www.locusmap.eu"'),
      note: 'cmt',
      wpt: () =>
        '<link href="file:///etc/passwd"><text>photo</text></link><link href="http://127.0.0.1:9/p.jpg"/><sym>z-ico01</sym><extensions><locus:icon>file:my-icons.zip:z-ico01.png</locus:icon></extensions>',
      trk: '<extensions><locus:activity>hiking</locus:activity></extensions>',
    }),
  },
  {
    app: 'QField',
    ending: 'geojson',
    write: ({ waypoints, tracks }) =>
      collection([
        ...waypoints.map((one, fid) =>
          feature(
            { type: 'Point', coordinates: coordinates(one) },
            { fid, name: one.name, notes: one.note, timestamp: one.time, photo: `DCIM/notes_${fid}.jpg` },
          ),
        ),
        ...tracks.map(({ name, segments }, fid) =>
          feature(
            geoLines(segments, (at) => [at.longitude, at.latitude, at.elevation_m ?? 0, Date.parse(at.time ?? '')]),
            {
              fid,
              name,
              length: 12.5,
            },
          ),
        ),
      ]),
  },
  {
    app: 'Mergin Maps',
    ending: 'csv',
    write: ({ waypoints, tracks }) =>
      csv([
        ['fid', 'X', 'Y', 'Z', 'Name', 'Notes', 'Time', 'Track', 'Segment', 'Photo'],
        ...waypoints.map((one, fid) => [
          fid,
          one.longitude,
          one.latitude,
          one.elevation_m,
          one.name,
          one.note,
          one.time,
          '',
          '',
          'p.jpg',
        ]),
        ...tracks.flatMap(({ name, segments }) =>
          segments.flatMap((points, segment) =>
            points.map((at, fid) => [
              fid,
              at.longitude,
              at.latitude,
              at.elevation_m,
              '',
              '',
              at.time,
              name,
              segment,
              '',
            ]),
          ),
        ),
      ]),
  },
  {
    app: 'CalTopo',
    ending: 'json',
    lacks: ['waypoint time'],
    write: ({ waypoints, tracks }) =>
      collection([
        ...waypoints.map((one, id) =>
          feature(
            { type: 'Point', coordinates: [...coordinates(one), 0].slice(0, one.elevation_m === null ? 2 : 4) },
            {
              title: one.name,
              description: one.note ?? '',
              class: 'Marker',
              'marker-symbol': 'point',
              'marker-color': '#FF0000',
              folderId: null,
              creator: `A${id}`,
            },
          ),
        ),
        ...tracks.map(({ name, segments }) =>
          feature(
            geoLines(segments, (at) => [at.longitude, at.latitude, at.elevation_m ?? 0, Date.parse(at.time ?? '')]),
            {
              title: name,
              class: 'Shape',
              stroke: '#FF0000',
              'stroke-width': 2,
            },
          ),
        ),
      ]),
  },
  {
    app: 'Strava',
    ending: 'gpx',
    onlyTracks: true,
    write: gpx({
      head: gpxHead('StravaGPX Android', 'xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"'),
      trk: '<type>hiking</type>',
      point:
        '<extensions><gpxtpx:TrackPointExtension><gpxtpx:cad>60</gpxtpx:cad></gpxtpx:TrackPointExtension></extensions>',
    }),
  },
  {
    app: 'Google My Maps',
    ending: 'kmz',
    lacks: ['waypoint time', 'track time'],
    write: ({ waypoints, tracks }) =>
      makeZip([
        {
          name: 'doc.kml',
          content: kmlFile(
            `<Folder><name>Untitled layer</name>${waypoints
              .map(
                (one) =>
                  `<Placemark>${tag('name', one.name)}${cdata(one.note)}<styleUrl>#icon-1899-0288D1</styleUrl><ExtendedData><Data name="Gate code"><value>none</value></Data></ExtendedData>${point(one)}</Placemark>`,
              )
              .join('')}</Folder><Folder><name>Lines</name>${tracks
              .map(
                ({ name, segments }) =>
                  `<Placemark>${tag('name', name)}<styleUrl>#line-000000-1200</styleUrl>${lines(segments)}</Placemark>`,
              )
              .join('')}</Folder>`,
          ),
        },
        { name: 'images/icon-1.png', content: Buffer.from([0x89, 0x50]) },
      ]),
  },
];
