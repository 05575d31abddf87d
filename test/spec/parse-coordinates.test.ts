/** What is read as coordinates, and what is not. */
import { expect, test } from 'vitest';
import { meantCoordinates, parseCoordinates } from '../../engine/spec/parse-coordinates.ts';

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

test.each([
  'geo:44.1027,-71.8316',
  'geo:44.1027,-71.8316;u=35',
  'geo:44.1027,-71.8316?z=15',
  'https://www.google.com/maps/@44.1027,-71.8316,15z',
  // The marked place, not the middle of the map.
  'https://www.google.com/maps/place/Somewhere/@44.2,-71.9,12z/data=!3m1!4b1!4m6!3m5!1s0x0:0x0!8m2!3d44.1027!4d-71.8316',
  'https://maps.google.com/?q=44.1027,-71.8316',
  'https://www.google.com/maps/search/?api=1&query=44.1027%2C-71.8316',
  'https://www.google.com/maps/search/44.1027,+-71.8316',
  'https://www.openstreetmap.org/#map=15/44.1027/-71.8316',
  'https://www.openstreetmap.org/?mlat=44.1027&mlon=-71.8316#map=9/44/-71',
  'https://maps.apple.com/?ll=44.1027,-71.8316&z=14',
  'https://www.bing.com/maps?cp=44.1027~-71.8316&lvl=15',
  '44,1027; -71,8316',
  '44,1027 -71,8316',
  '44,1027, -71,8316',
  '44,1027° N; 71,8316° W',
])('"%s" is read as the place of a link, or with decimal commas', (text) => {
  expect(parseCoordinates(text)).toEqual({ latitude: 44.1027, longitude: -71.8316 });
});

test.each([
  [-72.0491, 43.1397, 43.1397, -72.0491],
  [43.1397, 72.0491, 43.1397, -72.0491],
  [72.0491, 43.1397, 43.1397, -72.0491],
  [149.9, 61.2, 61.2, -149.9],
] as const)('%f, %f is meant in the United States', (first, second, latitude, longitude) => {
  expect(meantCoordinates({ latitude: first, longitude: second })).toEqual({ latitude, longitude });
});

test.each([
  // New Hampshire as it stands; Paris, and the south of Chile, where nothing helps.
  [43.1397, -72.0491],
  [48.8566, 2.3522],
  [-53.2, -70.9],
] as const)('%f, %f is meant as it stands', (latitude, longitude) => {
  expect(meantCoordinates({ latitude, longitude })).toBeNull();
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
  '12,201 13,302',
  'https://example.com/maps',
  // No such minutes; two latitudes; one side without its letter.
  `44°66'09"N 71°49'53"W`,
  `44°06'09"N 71°49'53"S`,
  `44°06'09"N 71°49'53"`,
  `95°06'09"N 71°49'53"W`,
])('"%s" is no coordinates', (text) => {
  expect(parseCoordinates(text)).toBeNull();
});
