/** Files as counties, spreadsheets and services really write them, each with the wrong value that it once gave. */
import { describe, expect, test } from 'vitest';
import { importStatewide } from '../../engine/importing/statewide.ts';
import { clock, importLots, lot, openLand } from './fixtures.ts';

describe('parcels of another place', () => {
  test('are refused with where they lie', async () => {
    const land = openLand();
    await expect(importLots(land, [lot('1', 0), lot('2', 1)], { fips: '06037' })).rejects.toThrow(
      /2 of the 2 parcels of what was given lie far from Los Angeles \(06037\).*longitude -71\.999, latitude 43\.001/,
    );
    expect(land.file.column('SELECT count(*) FROM parcels')).toEqual([0]);
    expect(await importLots(land, [lot('1', 0), lot('2', 1)])).toMatchObject({ new: 2 });
  });

  test('numbers of counties that are no FIPS codes do not give a state’s counties wrong names', async () => {
    const land = openLand();
    const features = [lot('1', 0, { CO_NO: '1' })];
    const options = { features, countyColumn: 'CO_NO', homeKind: 'real', now: clock, source: 'x' } as const;
    await expect(importStatewide(land, { ...options, state: 'FL' })).rejects.toThrow(/lie far from Alachua \(12001\)/);
  });
});
