/** Vacant land by buildings, the county's improvement values and its uses: the filter and the words beside it agree. */
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BuiltSigns, vacancyOf } from '../../engine/spec/vacancy.ts';
import { parcelExpressions } from '../../engine/store/parcel-expressions.ts';

const unknown: BuiltSigns = {
  structure_count: null,
  assessed_improvement_value: null,
  market_improvement_value: null,
  land_use_code: null,
  property_class_id: null,
};

test.each<[Partial<BuiltSigns>, boolean | null, string]>([
  [{}, null, ''],
  [{ structure_count: 0 }, true, 'no structure found'],
  [{ structure_count: 0, assessed_improvement_value: 84_200 }, false, 'improvements worth $84,200'],
  [{ structure_count: 2, assessed_improvement_value: 0 }, false, '2 structures'],
  [{ assessed_improvement_value: 0, market_improvement_value: 1500 }, false, 'improvements worth $1,500'],
  [{ market_improvement_value: 0 }, true, 'improvements worth 0'],
  [{ land_use_code: 'RES VACANT' }, true, 'the use RES VACANT'],
  [{ property_class_id: 'Non-vacant' }, null, ''],
  [{ structure_count: 1, land_use_code: 'VACANT' }, false, '1 structure'],
  [{ structure_count: 0, land_use_code: 'Vacant land' }, true, 'no structure found, the use Vacant land'],
])('%j: %s, by %s', (given, isVacant, signs) => {
  const found = vacancyOf({ ...unknown, ...given });
  expect(found.isVacant).toBe(isVacant);
  expect(found.signs.join(', ')).toBe(signs);
});

test('the filter’s column says the same of any parcel', () => {
  const file = new Database(':memory:');
  const columns = Object.keys(unknown);
  const select = file
    .prepare(
      `SELECT ${parcelExpressions.vacant} FROM (SELECT ${columns.map((name) => `:${name} AS ${name}`).join(', ')})`,
    )
    .pluck();
  const count = fc.option(fc.constantFrom(0, 1, 250_000));
  const code = fc.option(fc.constantFrom('', '1300', 'VACANT', 'Res. vacant land', 'NONVACANT', 'not vacant', 'Farm'));
  const parcels = fc.record<BuiltSigns>({
    structure_count: count,
    assessed_improvement_value: count,
    market_improvement_value: count,
    land_use_code: code,
    property_class_id: code,
  });
  fc.assert(
    fc.property(parcels, (parcel) => {
      const { isVacant } = vacancyOf(parcel);
      expect(select.get(parcel)).toBe(isVacant === null ? null : Number(isVacant));
    }),
  );
});
