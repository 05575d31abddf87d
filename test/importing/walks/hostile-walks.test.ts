/** Files made to harm: no entity is expanded, no path followed, no bomb unpacked; memory stays below 300 MB. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readWalk } from '../../../engine/importing/walks/read-walk.ts';
import { mostWalkBytes } from '../../../engine/spec/field-limits.ts';
import { makeZip } from '../../support/make-zip.ts';

function place(content: string | Buffer, name: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-walks-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, name);
  fs.writeFileSync(file, content);
  return file;
}

const refusal = (content: string | Buffer, name: string): string => {
  try {
    readWalk(place(content, name), name);
  } catch (error) {
    expect(error).toMatchObject({ code: 'import_refused' });
    return (error as Error).message;
  }
  return 'read';
};

const gpx = (body: string) => `<?xml version="1.0"?><gpx version="1.1" creator="x">${body}</gpx>`;
const kml = (body: string) => `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${body}</Document></kml>`;

test.each([
  [
    'a document type with an entity of a file',
    `<?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY x SYSTEM "file:///etc/passwd">]><gpx><wpt lat="1" lon="1"><name>&x;</name></wpt></gpx>`,
    'x.gpx',
    'XML with a document type (DOCTYPE)',
  ],
  ['a document type inside', gpx('<!DOCTYPE x><wpt lat="1" lon="1"/>'), 'x.gpx', 'it holds a document type'],
  ['nothing', '', 'x.gpx', 'an empty file'],
  ['a GPX without marks', gpx(''), 'x.gpx', 'expected waypoints or tracks, found none'],
  ['a GPX that was cut off', gpx('<wpt lat="1" lon="1"/>').slice(0, -6), 'x.gpx', 'the file ends before </gpx>'],
  ['elements in one another', gpx('<a>'.repeat(2000)), 'x.gpx', 'more than 100 elements in one another'],
  [
    'a KML that points elsewhere',
    kml('<NetworkLink><Link><href>http://127.0.0.1:9/a.kml</href></Link></NetworkLink>'),
    'x.kml',
    'found none but 1 links to other files (NetworkLink), which are not followed',
  ],
  [
    'parcels',
    kml('<Placemark><Polygon/></Placemark>'),
    'x.kml',
    'found none but 1 areas (polygons), which are no walk',
  ],
  ['a KMZ without a KML', makeZip([{ name: 'a.png', content: 'x' }]), 'x.kmz', 'expected a KMZ with a KML in it'],
  [
    'a KMZ that leaves its folder',
    makeZip([{ name: '../../a.kml', content: kml('') }]),
    'x.kmz',
    'invalid relative path',
  ],
  [
    'a zip bomb',
    makeZip([{ name: 'doc.kml', content: Buffer.alloc(80 * 2 ** 20, 0x20) }]),
    'x.kmz',
    'more than 200 times as much',
  ],
  [
    'a KML that unpacks to more than a walk has',
    makeZip([{ name: 'doc.kml', content: Buffer.alloc(40 * 2 ** 20, 0x20) }]),
    'x.kmz',
    'expected at most 32 MB',
  ],
  ['a table without places', 'name,time\na,2026-01-01\n', 'x.csv', 'expected a column latitude, found name, time'],
  [
    'GeoJSON in another system',
    '{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:2236"}},"features":[]}',
    'x.json',
    'EPSG:2236',
  ],
  ['a spreadsheet of pages', '%PDF-1.7', 'x.gpx', 'a PDF'],
])('%s is refused in a sentence', (_what, content, name, words) => {
  expect(refusal(content, name)).toContain(words);
});

test('unknown entities stay text, and links are kept as text, not opened', () => {
  const file = place(
    gpx('<wpt lat="1" lon="2"><name>&xxe; &#65;</name><link href="file:///etc/passwd"/></wpt>'),
    'x.gpx',
  );
  expect(readWalk(file, 'x.gpx').waypoints).toMatchObject([
    { name: '&xxe; A', extras: 'link href: file:///etc/passwd' },
  ]);
});

test('what cannot come in is counted', () => {
  const file = place(
    gpx(
      '<wpt lat="91" lon="2"/><wpt lat="x" lon="2"/><wpt lat="1" lon="2"><time>soon</time><ele>high</ele></wpt><wpt lat="1" lon="2"><time>2026-01-02T03:04:05</time></wpt><trk/>',
    ),
    'x.gpx',
  );
  const { waypoints, leftOut } = readWalk(file, 'x.gpx');
  expect(waypoints.map(({ time }) => time)).toEqual([null, '2026-01-02T03:04:05.000Z']);
  expect(leftOut).toEqual([
    { what: 'points without a place on the globe', count: 2 },
    { what: 'times that could not be read', count: 1 },
    { what: 'elevations that could not be read', count: 1 },
    { what: 'times without a zone, read as UTC', count: 1 },
    { what: 'tracks without a point', count: 1 },
  ]);
});

test('the largest files of each kind take less than 300 MB and no minute', () => {
  const full = (head: string, unit: string, tail: string) =>
    head + unit.repeat(Math.floor((mostWalkBytes - head.length - tail.length) / unit.length)) + tail;
  const files = [
    // A hundred bytes and more each, as devices write them: two tracks of 99,000 points.
    place(
      gpx(
        `<trk><trkseg>${'<trkpt lat="29.12345678" lon="-82.12345678"><ele>31.25</ele><time>2026-11-25T14:02:11Z</time></trkpt>'.repeat(99_000)}</trkseg></trk>`.repeat(
          2,
        ),
      ),
      'long.gpx',
    ),
    place(full('<gpx><trk><trkseg>', '<trkpt lat="0" lon="0"/>', '</trkseg></trk></gpx>'), 'dense.gpx'),
    place(full('<gpx><wpt lat="0" lon="0">', '<a/>', '</wpt></gpx>'), 'empty-elements.gpx'),
    place(full('<gpx><wpt lat="0" lon="0" a="', '>', '"/></gpx>'), 'quotes.gpx'),
    place(
      full('<kml><Placemark><LineString><coordinates>', '0,0 ', '</coordinates></LineString></Placemark></kml>'),
      'line.kml',
    ),
    place(full('<kml><Placemark><Track>', '<coord>0 0 0</coord>', '</Track></Placemark></kml>'), 'track.kml'),
    place(
      full(
        '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"LineString","coordinates":[',
        '[0,0],',
        '[0,0]]},"properties":{}}]}',
      ),
      'line.json',
    ),
    place(full('{"type":"FeatureCollection","features":[', '[', ''), 'deep.json'),
    place(full('lat,lon,time\n', '0,0,2026-11-25T14:02:11Z\n', ''), 'points.csv'),
  ];
  const child = path.join(import.meta.dirname, 'walk-child.ts');
  for (const [index, file] of files.entries()) {
    const { stdout, stderr } = spawnSync(process.execPath, [child, file], { encoding: 'utf8', timeout: 60_000 });
    const [told = '', megabytes] = stdout.trim().split('\n');
    expect(JSON.parse(told), stderr).toMatchObject(index === 0 ? { points: 198_000 } : { code: 'import_refused' });
    expect(Number(megabytes), told).toBeLessThan(300);
  }
}, 180_000);
