/** Identities where other programs wrote the land file, where files are odd, and where doubles come and go. */
import { describe, expect, test } from 'vitest';
import { geometryHash } from '../../engine/geo/geometry-hash.ts';
import { decodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import type { LandStore } from '../../engine/store/land-store.ts';
import { countOf, idsOf, importLots, lot, openLand, square, wholeLand } from './fixtures.ts';

const five = [lot('1-1', 0), lot('1-2', 1), lot('1-3', 2), lot('1-4', 3), lot('1-5', 4)];
const moved = (apn: string, index: number, to: number, more: Record<string, unknown> = {}) => ({
  ...lot(apn, index, more),
  geometry: square(to),
});
const at = (apn: string | null, longitude: number, owner = 'STATE') => ({
  geometry: { type: 'Point', coordinates: [longitude, 43.5] },
  properties: { apn, owner_name: owner },
});

/** Boxes of the R-tree that are not those of the stored shapes; it rounds to 32 bits, outwards. */
const wrongBoxes = (land: LandStore) =>
  countOf(
    land,
    `parcels p LEFT JOIN idx_parcels_geom b ON b.pkid = p.property_id WHERE p.geom IS NOT NULL AND (b.pkid IS NULL
      OR abs(b.xmin - MbrMinX(p.geom)) > 0.0001 OR abs(b.ymax - MbrMaxY(p.geom)) > 0.0001)`,
  );

const giveShape = (land: LandStore, to: string, from: string) =>
  land.file.run('UPDATE parcels SET geom = (SELECT geom FROM parcels WHERE apn = :from) WHERE apn = :to', { from, to });

describe('what another program did to the parcels', () => {
  test('a shape that it moved is healed, with point, acres and box', async () => {
    const land = openLand();
    await importLots(land, five);
    const before = wholeLand(land);
    giveShape(land, '1-1', '1-5');
    expect(wrongBoxes(land)).toBe(0);
    expect(await importLots(land, five)).toMatchObject({ changed: 1, unchanged: 4 });
    expect(wrongBoxes(land)).toBe(0);
    const parcels = (whole: unknown) => (whole as [string, unknown][]).slice(0, 2);
    expect(parcels(wholeLand(land))).toEqual(parcels(before));
    expect(await importLots(land, five)).toMatchObject({ changed: 0, unchanged: 5 });
  });

  test('a shape that it moved gets its box back when only an attribute is new in the file', async () => {
    const land = openLand();
    await importLots(land, five);
    giveShape(land, '1-1', '1-5');
    await importLots(land, [lot('1-1', 0, { owner_name: 'NEW' }), ...five.slice(1)]);
    expect(wrongBoxes(land)).toBe(0);
    expect(countOf(land, 'idx_parcels_geom')).toBe(5);
  });

  test('a shape that it took away, or made unreadable, comes back', async () => {
    const land = openLand();
    await importLots(land, five);
    const before = land.file.all('SELECT * FROM parcels');
    land.file.run("UPDATE parcels SET geom = NULL WHERE apn = '1-1'");
    // A header of a multipolygon without any: triggers let it pass.
    land.file.run("UPDATE parcels SET geom = CAST(substr(geom, 1, 43) || x'00000000fe' AS BLOB) WHERE apn = '1-2'");
    expect(await importLots(land, five)).toMatchObject({ changed: 2, unchanged: 3 });
    expect(land.file.all('SELECT * FROM parcels')).toEqual(before);
    expect(wrongBoxes(land)).toBe(0);
  });

  test('a row under the number of a deleted parcel is never written over: the import is refused and names it', async () => {
    const land = openLand();
    await importLots(land, five);
    const id = idsOf(land)['1-5/OWNER 4'];
    land.file.run("DELETE FROM parcels WHERE apn = '1-5'");
    land.file.run("INSERT INTO parcels (property_id, apn, owner_name) VALUES (?, 'sketch', 'MINE')", id);
    const before = wholeLand(land);
    await expect(importLots(land, five)).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringMatching(new RegExp(`property_id ${id} .*"sketch".*1-5.*nothing was changed`)) as string,
    });
    expect(wholeLand(land)).toEqual(before);
    land.file.run('UPDATE parcels SET property_id = 1000 WHERE property_id = ?', id);
    expect(await importLots(land, five)).toMatchObject({ new: 1, unchanged: 4 });
    expect(land.file.get('SELECT owner_name FROM parcels WHERE property_id = 1000')).toEqual({ owner_name: 'MINE' });
  });

  test('a copy of another parcel under that number is a stranger too; a parcel with an edited APN or county is not', async () => {
    const land = openLand();
    await importLots(land, five);
    land.file.run("UPDATE parcels SET apn = 'typo' WHERE apn = '1-1'");
    expect(await importLots(land, five)).toMatchObject({ changed: 1, unchanged: 4 });
    land.file.run("UPDATE parcels SET apn = '1-4' WHERE apn = '1-5'");
    giveShape(land, '1-4', '1-3');
    land.file.run(
      "UPDATE parcels SET geom = (SELECT geom FROM parcels WHERE apn = '1-2') WHERE owner_name = 'OWNER 4'",
    );
    await expect(importLots(land, five)).rejects.toThrow(/was added to the parcels table by another program/);
  });

  test('numbers that it gave out and took back are not given again', async () => {
    const land = openLand();
    await importLots(land, five);
    land.file.run("INSERT INTO parcels (property_id, apn) VALUES (70, 'sketch')");
    land.file.run('DELETE FROM parcels WHERE property_id = 70');
    await importLots(land, [...five, lot('2', 5)]);
    expect(idsOf(land)['2/OWNER 5']).toBe(71);
  });

  test('large numbers that it gave out neither slow an import down nor break it', async () => {
    const land = openLand();
    land.file.run("INSERT INTO parcels (property_id, apn) VALUES (1000000000000, 'far')");
    await importLots(land, five.slice(1));
    land.file.run("UPDATE parcel_registry SET property_id = 7 WHERE apn = '1-2'");
    land.file.run("UPDATE parcels SET property_id = 7 WHERE apn = '1-2'");
    const later = five.map((each) => ({ ...each, properties: { ...each.properties, acres: 9 } }));
    expect(await importLots(land, later)).toMatchObject({ new: 1, changed: 4 });
    expect(idsOf(land)['1-1/OWNER 0']).toBe(1_000_000_000_005);
    expect(countOf(land, 'parcels WHERE acres = 9')).toBe(5);
  });

  test('numbers beyond those that are exact stop an import that needs new ones, by name', async () => {
    const land = openLand();
    await importLots(land, five);
    land.file.run("INSERT INTO parcels (property_id, apn) VALUES (9223372036854775807, 'last')");
    const before = wholeLand(land);
    await expect(importLots(land, [...five, lot('2', 5)])).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringContaining('9223372036854775807') as string,
    });
    expect(wholeLand(land)).toEqual(before);
    expect(await importLots(land, five.slice(1))).toMatchObject({ retired: 1, unchanged: 4 });
  });

  test('values of enrichment do not make doubles forget who they are', async () => {
    const land = openLand();
    const condo = (owner: string) => lot('C', 0, { owner_name: owner });
    await importLots(land, [condo('A'), condo('B'), condo('C')]);
    const ids = idsOf(land);
    land.file.run('UPDATE parcels SET wetlands_percent = property_id');
    await importLots(land, [condo('B'), condo('C'), condo('Z')]);
    expect(idsOf(land)).toEqual({ 'C/B': ids['C/B'], 'C/C': ids['C/C'], 'C/Z': ids['C/A'] });
  });
});

describe('parcels of which only a point is known', () => {
  const points = [0, 1, 2, 3].map((index) => -72.5 + index * 0.01);
  const idsByPlace = (land: LandStore) => land.file.all('SELECT property_id, point_lon FROM parcels ORDER BY 2');

  test.each([null, 'D'])('keep their ids whatever the order of the file, with the APN %j', async (apn) => {
    const land = openLand();
    await importLots(
      land,
      points.map((longitude) => at(apn, longitude)),
    );
    const before = idsByPlace(land);
    const shuffled = [3, 1, 0, 2].map((index) => at(apn, points[index] ?? 0));
    expect(await importLots(land, shuffled)).toMatchObject({ changed: 0, unchanged: 4 });
    expect(idsByPlace(land)).toEqual(before);
    // One of them goes: the others stay who they are.
    expect(await importLots(land, shuffled.slice(1))).toMatchObject({ retired: 1, changed: 0, unchanged: 3 });
  });

  test('are changed when the point moves, and not by noise in its last digits', async () => {
    const land = openLand();
    await importLots(land, [at('P', -72.5)]);
    expect(await importLots(land, [at('P', -72.6)])).toMatchObject({ changed: 1 });
    expect(land.file.get('SELECT point_lon FROM parcels')).toEqual({ point_lon: -72.6 });
    const hash = land.file.get<{ hash: number }>('SELECT geometry_hash AS hash FROM parcel_registry')?.hash;
    expect(hash).toBeGreaterThan(0);
  });
});

describe('doubles', () => {
  const [p, q, z] = [lot('DD', 0, { owner_name: 'P' }), lot('DD', 5, { owner_name: 'Q' }), lot('Z', 9)];

  test('a standing one does not lose its id to a retired one when it is redrawn', async () => {
    for (const [gone, stays, index] of [
      [p, q, 5],
      [q, p, 0],
    ] as const) {
      const land = openLand();
      await importLots(land, [p, q, z]);
      const id = idsOf(land)[`DD/${String(stays.properties.owner_name)}`];
      expect(gone).not.toBe(stays);
      await importLots(land, [stays, z]);
      await importLots(land, [moved('DD', index, 20, { owner_name: 'SOLD' }), z]);
      expect(idsOf(land)['DD/SOLD']).toBe(id);
    }
  });

  test('that are all redrawn stay with their owner and account', async () => {
    for (let to = 20; to < 30; to++) {
      const land = openLand();
      const pair = (a: number, b: number) => [
        moved('E', 0, a, { owner_name: 'P', tax_account_number: '1' }),
        moved('E', 5, b, { owner_name: 'Q', tax_account_number: '2' }),
      ];
      await importLots(land, pair(0, 5));
      const ids = idsOf(land);
      await importLots(land, pair(to, to + 11));
      expect(idsOf(land)).toEqual(ids);
    }
  });
});

describe('a refused feature', () => {
  const faulty = { type: 'LineString', coordinates: [] };
  const blank = (index: number) => lot(null, index, { owner_name: `ROW ${index}` });

  test('without an APN retires no parcel without one, and the report says how many were spared', async () => {
    const land = openLand();
    await importLots(land, [...five, blank(10), blank(11)]);
    const report = await importLots(land, [...five.slice(1), blank(11), { ...blank(10), geometry: faulty }]);
    expect(report).toMatchObject({ retired: 1, kept_for_refused: 1, unchanged: 5, refused: { count: 1 } });
    expect(countOf(land, "parcels WHERE apn IS NULL AND status = 'current'")).toBe(2);
    // The next file that is whole decides.
    expect(await importLots(land, [...five.slice(1), blank(11)])).toMatchObject({ retired: 1, kept_for_refused: 0 });
  });

  test('whose properties cannot be read is known by its shape', async () => {
    const land = openLand();
    await importLots(land, five);
    const features = five
      .slice(1)
      .map((each, index) => ({ ...each, ...(index === 0 ? { problem: 'no object', properties: {} } : {}) }));
    const report = await importLots(land, features);
    expect(report).toMatchObject({
      retired: 1,
      kept_for_refused: 1,
      unchanged: 3,
      refused: { count: 1, first: [{ row: 1, reason: 'no object' }] },
    });
    expect(land.file.column("SELECT apn FROM parcels WHERE status = 'retired'")).toEqual(['1-1']);
  });
});

test('the hash of a point is the hash of no shape', async () => {
  const land = openLand();
  await importLots(land, [at('P', -72), lot('S', 0)]);
  const geom = land.file.get<{ geom: Uint8Array }>("SELECT geom FROM parcels WHERE apn = 'S'")?.geom;
  const hashes = land.file.column<number>('SELECT geometry_hash FROM parcel_registry ORDER BY apn');
  expect(hashes[1]).toBe(geometryHash(decodeMultiPolygon(geom ?? new Uint8Array())));
  expect(hashes[0]).not.toBe(hashes[1]);
});

/** A degree of latitude has 111.1 km. */
const metersNorth = (meters: number) => meters / 111_100;

/** A rectangle with its south-western corner there: of a lot about 81 m by 111 m, of a road 3 m wide. */
const drawn = (west: number, south: number, height = 0.001, places = 9) => {
  const [east, north] = [west + 0.001, south + height];
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ] as const;
  return {
    type: 'Polygon',
    coordinates: [corners.map((one) => one.map((degrees) => Number(degrees.toFixed(places))))],
  };
};

describe('shapes that a publisher drew again', () => {
  const [west, south] = [-72.000_000_44, 43.000_000_44];
  const road = (shift: number) => ({
    ...lot(null, 3),
    geometry: drawn(west, 43.01 + metersNorth(shift), metersNorth(3)),
  });
  const blank = (shift: number, places = 9) => ({
    ...lot(null, 2),
    geometry: drawn(west, south + metersNorth(shift), 0.001, places),
  });

  test('keep the id of a parcel without an APN, by less than a meter or by 95 % in common', async () => {
    const land = openLand();
    await importLots(land, [road(0), blank(0)]);
    const before = idsOf(land);
    // The corners are rounded to 6 digits; the road moves by 0.9 of its 3 m, the lot by 4 of its 111.
    for (const lots of [
      [blank(0, 6), road(0)],
      [road(0.9), blank(4)],
    ]) {
      expect(await importLots(land, lots)).toMatchObject({ new: 0, retired: 0 });
      expect(idsOf(land)).toEqual(before);
    }
    // Farther, each is another parcel; the one before is retired.
    expect(await importLots(land, [road(3), blank(40)])).toMatchObject({ new: 2, retired: 2 });
    expect(await importLots(land, [road(0.9), blank(4)])).toMatchObject({ new: 0, returned: 2, retired: 2 });
    expect(idsOf(land)).toEqual(before);
  });

  test('of two parcels without an APN on one place each keeps its own id, whatever the order of the file', async () => {
    const land = openLand();
    const [above, below] = [
      { ...lot(null, 1), geometry: drawn(west, south + metersNorth(2)) },
      { ...lot(null, 0), geometry: drawn(west, south) },
    ];
    await importLots(land, [below, above]);
    const before = idsOf(land);
    const shifted = [above, below].map(({ properties }, i) => ({
      properties,
      geometry: drawn(west, south + metersNorth(2.2 - 2 * i)),
    }));
    for (const lots of [shifted, shifted.toReversed()]) {
      await importLots(land, lots);
      expect(idsOf(land)).toEqual(before);
    }
  });

  test('by less than a decimeter are no change, and the shape that stands stays until one is', async () => {
    const land = openLand();
    const named = (shift: number, more = {}) => ({
      ...lot('1-1', 0, more),
      geometry: drawn(west, south + metersNorth(shift)),
    });
    await importLots(land, [named(0), blank(0)]);
    const before = wholeLand(land);
    expect(await importLots(land, [named(0.08), blank(0.08)])).toMatchObject({
      unchanged: 2,
      changed: 0,
      import_id: null,
    });
    expect(wholeLand(land)).toEqual(before);
    // It does not creep: measured from the shape that stands.
    expect(await importLots(land, [named(0.16), blank(0.08)])).toMatchObject({ unchanged: 1, changed: 1 });
    // A change of the owner leaves the shape that stands.
    const shape = () => land.file.get("SELECT hex(geom) AS geom, calculated_acres FROM parcels WHERE apn = '1-1'");
    const standing = shape();
    expect(await importLots(land, [named(0.2, { owner_name: 'NEW' }), blank(0.08)])).toMatchObject({ changed: 1 });
    expect(await importLots(land, [named(0.2, { owner_name: 'NEW' }), blank(0.08)])).toMatchObject({ import_id: null });
    expect(shape()).toEqual(standing);
    expect(wrongBoxes(land)).toBe(0);
    for (const { hash, geom } of land.file.all<{ hash: number; geom: Uint8Array }>(
      'SELECT geometry_hash AS hash, geom FROM parcel_registry r JOIN parcels p USING (property_id)',
    )) {
      expect(geometryHash(decodeMultiPolygon(geom))).toBe(hash);
    }
  });
});
