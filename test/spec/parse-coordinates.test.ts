/** What is read as coordinates, and what is not. */
import { expect, test } from 'vitest';
import { parseCoordinates } from '../../engine/spec/parse-coordinates.ts';

test.each([
  ['44.1027, -71.8316', 44.1027, -71.8316],
  ['44.1027 −71.8316', 44.1027, -71.8316],
  ['44.1027 N, 71.8316 W', 44.1027, -71.8316],
  ['-71.8316, 44.1027 ', null, null],
  ['-111.8316 44.1027', 44.1027, -111.8316],
  ['71.8316 W 44.1027 N', 44.1027, -71.8316],
])('"%s" is read as coordinates', (text, latitude, longitude) => {
  // Without letters, and both within 90, the first is the latitude: that is how people write them.
  expect(parseCoordinates(text)).toEqual(
    latitude === null ? { latitude: -71.8316, longitude: 44.1027 } : { latitude, longitude },
  );
});

const latitude = 44 + 6 / 60 + 9.7 / 3600;
const longitude = -(71 + 49 / 60 + 53.8 / 3600);

test.each([
  // As Google Maps, a Garmin receiver, an iPhone's compass, a deed and a script write the same place.
  `44°06'09.7"N 71°49'53.8"W`,
  '44° 6′ 9.7″ N, 71° 49′ 53.8″ W',
  '44°06’09.7”N 71°49’53.8”W',
  `N 44° 06' 09.7" W 071° 49' 53.8"`,
  `n44 06 09.7, w071 49 53.8`,
  '44:06:09.7N 71:49:53.8W',
  `71°49'53.8"W 44°06'09.7"N`,
  `44°06'09.7''N 71°49'53.8''W`,
])('%s is read as degrees, minutes and seconds', (text) => {
  expect(parseCoordinates(text)?.latitude).toBeCloseTo(latitude, 9);
  expect(parseCoordinates(text)?.longitude).toBeCloseTo(longitude, 9);
});

test.each([
  ['N44 06.162 W071 49.896', 44 + 6.162 / 60, -(71 + 49.896 / 60)],
  [`33°30.5'S 70°36'W`, -(33 + 30.5 / 60), -70.6],
  ['N44.1027 W71.8316', 44.1027, -71.8316],
])('%s is read as degrees and minutes', (text, north, east) => {
  expect(parseCoordinates(text)?.latitude).toBeCloseTo(north, 9);
  expect(parseCoordinates(text)?.longitude).toBeCloseTo(east, 9);
});

test.each([
  '12-201',
  '12 201',
  'Quill Brook Road',
  '200.5, 300.1',
  '',
  // APNs, and streets of a grid.
  '12 34 56 78',
  '44 06 09 71 49 53',
  '1200 N 300 W',
  '45 N 30 W',
  '12:201:3',
  // No such minutes; two latitudes; one side without its letter.
  `44°66'09"N 71°49'53"W`,
  `44°06'09"N 71°49'53"S`,
  `44°06'09"N 71°49'53"`,
  `95°06'09"N 71°49'53"W`,
])('"%s" is no coordinates', (text) => {
  expect(parseCoordinates(text)).toBeNull();
});
