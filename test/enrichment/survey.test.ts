/** Townships and sections of the public land survey: read, kept, and given to parcels. */
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { enrich } from '../../engine/enrichment/enrich.ts';
import { enrichAgain } from '../../engine/enrichment/enrich-again.ts';
import { explainParcel } from '../../engine/enrichment/explain-parcel.ts';
import { surveyPlaceOf } from '../../engine/enrichment/survey-features.ts';
import { unenrich } from '../../engine/enrichment/unenrich.ts';
import { acresOfMultiPolygon } from '../../engine/geo/area.ts';
import { boundsOfMultiPolygon } from '../../engine/geo/geometry.ts';
import { parseFilterRequest } from '../../engine/query/filter-request.ts';
import { filterQuestion, findParcels, searchQuestion } from '../../engine/query/find-parcels.ts';
import { liveSuggest } from '../../engine/query/live-suggest.ts';
import { nothingLookedUp } from '../../engine/query/looked-up.ts';
import { surveyPlaces, townshipsOf } from '../../engine/query/townships.ts';
import { emptyHome } from '../support/homes.ts';
import { queryParcels } from '../support/query-parcels.ts';
import { columnsByApn, homeWith, importAgain, now, type TestParcel, testFips, writeLayer } from './enriched-home.ts';
import { lotOfFeet } from './laid-shapes.ts';

const mile = 5280;
/** Of township 5 south, range 3 west of the sixth meridian; section 1 lies northeast of the origin, numbers go west. */
const sectionAt = (column: number, row: number, number: number, township = '060050S0030W0') => ({
  polygons: lotOfFeet(column * mile, row * mile, (column + 1) * mile, (row + 1) * mile),
  FRSTDIVID: `KS${township}SN${String(number).padStart(2, '0')}0`,
  FRSTDIVTYP: 'SN',
});
const sections = [
  sectionAt(0, 0, 1),
  sectionAt(-1, 0, 2),
  sectionAt(0, -1, 12),
  // Far from the lots; it belongs to a township that is near, and the others to none.
  sectionAt(-2, 0, 3),
  sectionAt(1, 0, 6, '060050S0020W0'),
  sectionAt(2, 2, 30, '060040S0020W0'),
];
const lots: TestParcel[] = [
  { apn: '1', shape: lotOfFeet(100, 100, 300, 300) },
  // 60 of 200 feet in section 2, the rest in section 1
  { apn: '2', shape: lotOfFeet(-60, 500, 140, 700) },
  { apn: '3', shape: lotOfFeet(100, -300, 300, -100) },
  // Beyond all sections
  { apn: '4', shape: lotOfFeet(100, -3 * mile, 300, -3 * mile + 200) },
];
const firstPage = { number: 1, size: 25, offset: 0 };
const columns = ['township', 'range', 'section', 'principal_meridian'] as const;
const run = (engine: Engine, file: string) =>
  enrich(engine.land, { kind: 'plss', file, fips: testFips, now, date: '2025-06-30' });
const fileOf = (features: Parameters<typeof writeLayer>[2]) => writeLayer(emptyHome(), 'export.geojson', features);

describe('a layer of townships and sections', () => {
  test('gives each parcel the section that holds most of it', async () => {
    const engine = await homeWith(lots);
    const report = await run(engine, fileOf(sections));
    const found = { 1: ['T5S', 'R3W', 1, '6th PM'], 2: ['T5S', 'R3W', 1, '6th PM'], 3: ['T5S', 'R3W', 12, '6th PM'] };
    expect(columnsByApn(engine, ...columns)).toEqual({ ...found, 4: [null, null, null, null] });
    expect(report).toMatchObject({ computed: 3, unknown: { 'no polygon of the layer holds the parcel': 1 } });
    const [explained] = explainParcel(engine.land, idOf(engine, '2'));
    expect(explained?.used.map(({ class: place }) => place)).toEqual(['S1 T5S R3W, 6th PM']);
    const layer = engine.land.file.column<number>('SELECT layer_id FROM layers');
    expect(unenrich(engine.land, layer[0] as number)).toEqual({ changed: 3 });
    expect(columnsByApn(engine, 'section')).toMatchObject({ 1: [null], 3: [null] });
  });

  test('keeps whole townships that are near, drawn from their sections, and no other', async () => {
    const engine = await homeWith(lots.slice(0, 3));
    const report = await run(engine, fileOf(sections));
    expect(report.reading).toMatchObject({ features_read: 6, features_kept: 4, townships_made: 1 });
    expect(report.notes.join(' ')).toContain('1 were drawn from their sections');
    const kept = engine.land.file.all<{ class: string; name: string }>(
      'SELECT class, name FROM layer_features ORDER BY class',
    );
    expect(kept.map((row) => [row.class, row.name])).toEqual([
      ['S1 T5S R3W, 6th PM', '1'],
      ['S12 T5S R3W, 6th PM', '12'],
      ['S2 T5S R3W, 6th PM', '2'],
      ['S3 T5S R3W, 6th PM', '3'],
      ['T5S R3W, 6th PM', 'T5S R3W'],
    ]);
    const townships = townshipsOf(engine.land, testFips);
    expect(townships.map(({ name }) => name)).toEqual(['T5S R3W']);
    // Four sections of 640 acres; the feet of the test are laid on the ellipsoid to within some parts in 10,000.
    expect(acresOfMultiPolygon(townships[0]?.polygons ?? []) / 2560).toBeCloseTo(1, 2);
  });

  test('takes the outlines of a file that has them', async () => {
    const engine = await homeWith(lots);
    const township = { polygons: lotOfFeet(-6 * mile, -6 * mile, mile, mile), PLSSID: 'KS060050S0030W0' };
    const report = await run(engine, fileOf([township, ...sections.slice(0, 3)]));
    expect(report.reading?.townships_made).toBeUndefined();
    expect(townshipsOf(engine.land, testFips)).toHaveLength(1);
    // Lot 4 lies in the township, and in no section that the file has.
    expect(columnsByApn(engine, ...columns)).toMatchObject({
      3: ['T5S', 'R3W', 12, '6th PM'],
      4: ['T5S', 'R3W', null, '6th PM'],
    });
  });

  test('gives no township by a sliver', async () => {
    const engine = await homeWith([
      // 20 of 200 feet in section 1, the rest beyond all that the layer has
      { apn: 'sliver', shape: lotOfFeet(100, mile - 20, 300, mile + 180) },
      // 120 of 200 feet in section 1
      { apn: 'most', shape: lotOfFeet(400, mile - 120, 600, mile + 80) },
      // 80 of 200 feet in section 1, 120 in township 4 south that has an outline and no sections
      { apn: 'other', shape: lotOfFeet(mile + 100, mile - 80, mile + 300, mile + 120) },
      // A ranch over four sections: no section holds half of it, the township all
      { apn: 'ranch', shape: lotOfFeet(-2000, -2000, 2500, 2200) },
    ]);
    const township = {
      polygons: lotOfFeet(mile, mile, 7 * mile, 7 * mile),
      PLSSID: 'KS060040S0020W0',
    };
    const report = await run(
      engine,
      fileOf([...sections.slice(0, 3), sectionAt(-1, -1, 11), sectionAt(1, 0, 6), township]),
    );
    expect(columnsByApn(engine, ...columns)).toEqual({
      sliver: [null, null, null, null],
      most: ['T5S', 'R3W', 1, '6th PM'],
      other: ['T4S', 'R2W', null, '6th PM'],
      // 2,500 × 2,200 of 4,500 × 4,200 feet
      ranch: ['T5S', 'R3W', 1, '6th PM'],
    });
    expect(report).toMatchObject({ computed: 3, unknown: { 'less than half of the parcel lies in the layer': 1 } });
  });

  test('gives sections from a layer of sixteenths, and draws them', async () => {
    const engine = await homeWith([{ apn: '1', shape: lotOfFeet(1200, 1000, 1500, 1200) }]);
    const side = mile / 4;
    const sixteenths = Array.from({ length: 16 }, (_, at) => {
      const [column, row] = [at % 4, Math.floor(at / 4)];
      const quarter = `${row < 2 ? 'S' : 'N'}${column < 2 ? 'W' : 'E'}`;
      const inner = `${row % 2 === 0 ? 'S' : 'N'}${column % 2 === 0 ? 'W' : 'E'}`;
      return {
        ...sectionAt(0, 0, 1),
        polygons: lotOfFeet(column * side, row * side, (column + 1) * side, (row + 1) * side),
        QQSEC: `${inner}${quarter}`,
      };
    });
    const report = await run(engine, fileOf(sixteenths));
    // The lot lies on the line between two sixteenths.
    expect(columnsByApn(engine, ...columns)).toEqual({ 1: ['T5S', 'R3W', 1, '6th PM'] });
    expect(report.reading).toMatchObject({ features_read: 16, sections_made: 1, townships_made: 1 });
    const [found] = surveyPlaces(engine.land, 'S1 T5S R3W', testFips);
    expect(found).toMatchObject({ name: 'S1 T5S R3W, 6th PM', plss: 'T5S R3W S1' });
    const square = boundsOfMultiPolygon(lotOfFeet(0, 0, mile, mile));
    for (const corner of ['minX', 'minY', 'maxX', 'maxY'] as const)
      expect(found?.bounds[corner]).toBeCloseTo(square[corner], 5);
  });

  test('says that sections are not known, in place of none', async () => {
    const engine = await homeWith(lots);
    const outline = { polygons: lotOfFeet(-6 * mile, -6 * mile, mile, mile), PLSSID: 'KS060050S0030W0' };
    await run(engine, fileOf([outline]));
    const notices = async (plss: string) =>
      (await engine.call('filter_properties', { county: testFips, plss })).notices;
    expect(await notices('T5S R3W S12')).toEqual([
      'The parcels of "T5S R3W S12" have a township and no section, so none can match: a survey layer with sections gives them.',
    ]);
    expect((await notices('T9S R3W'))?.join(' ')).toMatch(/No parcel .* matches plss "T9S R3W"/);
  });

  test('leaves what the roll says of itself, in one spelling', async () => {
    const rolls = [
      ['05S', '03W', 7, 'T5S', 'R3W', 7],
      ['T. 12½ N.', 'Range 104 East', '36', 'T12½N', 'R104E', 36],
      // No side, a town's own name, and a range for a township tell nothing.
      ['5', '3', 0, null, null, null],
      ['CEDAR TWP', 'R3W', null, null, 'R3W', null],
      ['R3W', 'T5S', 1, null, null, 1],
    ] as const;
    const rows = rolls.map(([township, range, section], at) => ({
      ...{ apn: `${at}`, shape: lotOfFeet(300 * at, 100, 300 * at + 100, 200), township, range, section },
    }));
    const engine = await homeWith(rows);
    const found = Object.fromEntries(rolls.map(([, , , ...read], at) => [at, read]));
    expect(columnsByApn(engine, 'township', 'range', 'section')).toEqual(found);
    await run(engine, fileOf(sections));
    const completed = columnsByApn(engine, 'township', 'range', 'section');
    expect(completed[0]).toEqual(['T5S', 'R3W', 7]);
    expect(completed[2]).toEqual(['T5S', 'R3W', 1]);
  });

  test('completes a parcel that came later', async () => {
    const engine = await homeWith(lots.slice(0, 1));
    await run(engine, fileOf(sections));
    await importAgain(engine, lots);
    expect(columnsByApn(engine, 'section')).toMatchObject({ 1: [1], 3: [null] });
    await enrichAgain(engine.land, testFips, { now });
    expect(columnsByApn(engine, 'section')).toMatchObject({ 1: [1], 3: [12] });
  });

  test('is filtered by, in the words of deeds', async () => {
    const engine = await homeWith(lots);
    await run(engine, fileOf(sections));
    const apns = (fields: Record<string, unknown>) => {
      const request = parseFilterRequest({ county: testFips, ...fields });
      const found = findParcels(
        engine.land,
        () => filterQuestion(engine.land, request, nothingLookedUp),
        firstPage,
        null,
      );
      return found.results.map(({ apn }) => apn).toSorted();
    };
    expect(apns({ plss: 'T5S R3W S1' })).toEqual(['1', '2']);
    expect(apns({ plss: 'Section 12, Township 5 South, Range 3 West of the Sixth Principal Meridian' })).toEqual(['3']);
    expect(apns({ plss: '12-5S-3W' })).toEqual(['3']);
    expect(apns({ plss: 'T5S R3W' })).toEqual(['1', '2', '3']);
    expect(apns({ plss: 'Sec 12 and Sec 1 T5S R3W' })).toEqual(['1', '2', '3']);
    expect(apns({ plss: 'T5S R3W, Boise Meridian' })).toEqual([]);
    expect(apns({ plss: 'T5S R3W S12', include_unknown: ['plss'] })).toEqual(['3', '4']);
    expect(apns({ townships: ['t5s'], section_min: 2 })).toEqual(['3']);
    const place = parseFilterRequest({ county: testFips, plss: 'T5S R3W S1' });
    const question = searchQuestion({ fips: testFips, ids: null, ownerName: null, place });
    expect(findParcels(engine.land, () => question, firstPage, null).count).toBe(2);
    expect(queryParcels(engine.land, question, firstPage, null).count).toBe(2);
    for (const [plss, why] of [
      ['T5S', 'together'],
      ['NE1/4 S1 T5S R3W', 'whole sections'],
      ['T5S R3W near the creek', 'not read'],
      ['Elm Street', 'not read'],
    ])
      expect(() => apns({ plss })).toThrow(
        expect.objectContaining({ details: { plss: [expect.stringContaining(why as string)] } }),
      );
  });

  test('is found by its name, parts of sections too', async () => {
    const engine = await homeWith(lots);
    await run(engine, fileOf(sections));
    const [found, ...others] = surveyPlaces(engine.land, 'NE1/4 S12 T5S R3W', testFips);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ name: 'NE¼, S12 T5S R3W, 6th PM', plss: null });
    // Section 12 runs from 0 to a mile east and to a mile south: its northeast quarter begins in the middle.
    const quarter = boundsOfMultiPolygon(lotOfFeet(mile / 2, -mile / 2, mile, 0));
    for (const side of ['minX', 'minY', 'maxX', 'maxY'] as const)
      expect(found?.bounds[side]).toBeCloseTo(quarter[side], 5);
    expect(surveyPlaces(engine.land, 't5sr3w', null)).toMatchObject([{ name: 'T5S R3W, 6th PM', plss: 'T5S R3W' }]);
    expect(surveyPlaces(engine.land, 'T5S R3W S30', null)).toEqual([]);
    expect(surveyPlaces(engine.land, 'Elm Street', null)).toEqual([]);
    expect(liveSuggest(engine.land, { text: 's1 t5s r3w', fips: null, limit: 5 }).survey).toHaveLength(1);
  });

  test('is refused without columns of the survey', async () => {
    const engine = await homeWith(lots);
    const file = fileOf([{ polygons: lotOfFeet(0, 0, 100, 100), COLOR: 'red' }]);
    await expect(run(engine, file)).rejects.toThrow(/FRSTDIVNO/);
  });
});

describe('the place of a feature', () => {
  test.each<[Record<string, unknown>, string | null]>([
    [{ FRSTDIVID: 'MT200050N0030W0SN120', FRSTDIVTYP: 'SN' }, 'S12 T5N R3W, Montana Meridian'],
    [{ PLSSID: 'WY060120N1040W0' }, 'T12N R104W, 6th PM'],
    [{ PLSSID: 'WY060122N0142W0' }, 'T12½N R14½W, 6th PM'],
    [
      {
        TWNSHPNO: '005',
        TWNSHPFRAC: '0',
        TWNSHPDIR: 'N',
        RANGENO: '003',
        RANGEFRAC: '0',
        RANGEDIR: 'W',
        PRINMER: 'Boise Meridian',
      },
      'T5N R3W, Boise Meridian',
    ],
    [{ TWP: '05N', RNG: '03W', SEC: 7 }, 'S7 T5N R3W'],
    [{ twp: 5, twpdir: 'N', rng: 3, rngdir: 'W', sec: '07' }, 'S7 T5N R3W'],
    [{ TWNSHPLAB: '5N 3W', FRSTDIVNO: '36' }, 'S36 T5N R3W'],
    [{ FRSTDIVID: 'MT200050N0030W0SN120', QQSEC: 'NENW' }, 'NE¼NW¼, S12 T5N R3W, Montana Meridian'],
    [{ FRSTDIVID: 'MT200050N0030W0SN120', SECDIVNO: 'L 3' }, 'Lot 3, S12 T5N R3W, Montana Meridian'],
    // A tract is no section.
    [{ FRSTDIVID: 'MT200050N0030W0TR370', FRSTDIVTYP: 'TR', FRSTDIVNO: '37' }, null],
    [{ NAME: 'Elm' }, null],
  ])('%j is %s', (properties, place) => {
    expect(surveyPlaceOf(properties)).toBe(place);
  });
});

function idOf(engine: Engine, apn: string): number {
  const [id] = engine.land.file.column<number>('SELECT property_id FROM parcels WHERE apn = ?', apn);
  return id as number;
}
