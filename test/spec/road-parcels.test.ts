import { expect, test } from 'vitest';
import { isRoadParcel } from '../../engine/spec/road-parcels.ts';

const isRoad = (use: string | null, group: string | null = null) =>
  isRoadParcel({ land_use_description: use, property_class_id: group });

test('a use that names a road makes one, in whole words, in either column', () => {
  for (const use of ['Road right of way', 'RIGHTS-OF-WAY', 'Public Road', 'ROW', 'Street', 'State row parcel'])
    expect(isRoad(use), use).toBe(true);
  expect(isRoad('Exempt', 'RIGHT OF WAY')).toBe(true);
  for (const use of ['Growth', 'Streetcar barn', 'Broadway', 'Vacant residential'])
    expect(isRoad(use), use).toBe(false);
  expect(isRoad(null)).toBe(false);
});

test('fields and buildings in rows are no roads', () => {
  for (const use of ['Row crops', 'ROW CROP', 'Row house', 'Town or row houses', 'Row dwelling'])
    expect(isRoad(use), use).toBe(false);
});
