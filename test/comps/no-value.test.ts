import { expect, test } from 'vitest';
import { valueFromComps } from '../../engine/comps/comp-value.ts';
import { noValueParts } from '../../engine/comps/no-value.ts';
import type { ValueComp } from '../../engine/comps/value-types.ts';
import { noValueSentence } from '../../engine/spec/no-value-words.ts';
import { miles } from '../../renderer/value/value-words.ts';
import { compOf, degreesEast, subject, today } from './valuation-cases.ts';

const kilometers = (distance: number, isRound: boolean): string => `${isRound ? distance : distance.toFixed(1)} km`;

function sentence(comps: readonly ValueComp[], change: Partial<typeof subject> = {}, distance = kilometers): string {
  const answer = valueFromComps({ ...subject, ...change }, comps);
  if (answer.value !== null) throw new Error('there is a value');
  return noValueSentence(noValueParts(answer), distance);
}

// 2.94 km of the method's plane
const other = { id: 'other', propertyId: 2, longitude: -100 + degreesEast(2.94) };

test.each<[Partial<ValueComp>, string]>([
  [{ acres: 101 }, 'the nearest, 2.9 km away, is more than 10 times larger or smaller.'],
  [{ date: today - 3000 }, 'the nearest, 2.9 km away, is more than 8 years old.'],
  [{ date: today + 1 }, 'the nearest, 2.9 km away, is later than the day of the value.'],
  [{ price: null }, 'the nearest, 2.9 km away, has no price.'],
  [{ acres: null }, 'the nearest, 2.9 km away, has no acres.'],
  [{ longitude: -100 + degreesEast(300) }, 'the nearest is 300.0 km away.'],
])('says why the nearest comp cannot speak for the parcel: %j', (change, words) => {
  expect(sentence([compOf({ ...other, ...change })])).toBe(`No relevant comps within 120 km; ${words}`);
});

test('says when there is nothing, or nothing to compare', () => {
  expect(sentence([])).toBe('No relevant comps within 120 km.');
  expect(sentence([compOf(other)], { acres: null })).toMatch(/neither recorded nor mapped acres/);
  expect(sentence([compOf(other)], { latitude: null })).toMatch(/no place on the map/);
});

test('the window says miles', () => {
  // 120 km / 1.609344 = 74.56; 142.3 / 1.609344 = 88.42; 2.94 / 1.609344 = 1.83
  expect(sentence([compOf({ ...other, longitude: -100 + degreesEast(142.3) })], {}, miles)).toBe(
    'No relevant comps within 75 mi; the nearest is 88 mi away.',
  );
  expect(sentence([compOf({ ...other, acres: null })], {}, miles)).toBe(
    'No relevant comps within 75 mi; the nearest, 1.8 mi away, has no acres.',
  );
});
