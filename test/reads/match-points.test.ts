/** The places of the map's dots. */
import { expect, test } from 'vitest';
import { runRead } from '../../engine/reads/index.ts';
import { parcelExpressions } from '../../engine/store/parcel-expressions.ts';
import { engineOn, sampleHome } from '../support/homes.ts';

const filter = { county: '99001', vacant_only: true };

test('a dot lies in the box of each match that has a shape, with the column index and without it', () => {
  const engine = engineOn(sampleHome());
  const boxes = engine.land.file.all<Record<'west' | 'east' | 'south' | 'north', number>>(
    `SELECT xmin AS west, xmax AS east, ymin AS south, ymax AS north FROM idx_parcels_geom
     JOIN parcels ON property_id = pkid WHERE status = 'current' AND ${parcelExpressions.vacant} = 1`,
  );
  const inBoxes = (): void => {
    const { points } = runRead(engine, 'match_points', { filter }) as { points: [number, number][] };
    expect(points.length).toBe(boxes.length);
    const astray = boxes.filter(
      ({ west, east, south, north }) =>
        !points.some(([x, y]) => x >= west - 1e-5 && x <= east + 1e-5 && y >= south - 1e-5 && y <= north + 1e-5),
    );
    expect(astray).toEqual([]);
  };
  inBoxes();
  engine.land.file.run("UPDATE column_indexes SET state = 'stale'");
  inBoxes();
});

test('there are none where more than 5,000 parcels match', () => {
  const engine = engineOn(sampleHome());
  expect(runRead(engine, 'match_points', { filter: { county: '99001' } })).toEqual({ points: null });
});
