/** The report of a visit: what it shows, what it never shows, and that numbers and rows belong to each other. */
import fs from 'node:fs';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { PDFDocument, PDFRawStream } from 'pdf-lib';
import { expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { LabelFont } from '../../engine/exporting/label-font.ts';
import { code } from '../../engine/jobs/tasks/visit.ts';
import { type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import type { Visit } from '../../engine/spec/visits.ts';
import { type ChangeInputOf, type ChangeOutputOf, runChange } from '../../engine/work/index.ts';
import { getVisit, reportOfVisit } from '../../engine/work/visits.ts';
import { placingKeys } from '../sheet/pdf-reading.ts';
import { gdalOrSkip } from '../support/gdal.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { makeHeic } from '../support/make-photo.ts';
import { platbook } from '../support/platbook.ts';
import { runs } from '../support/runs.ts';
import { type Lot, lotOf, scenery, walkAndShoot } from './visit-home.ts';

const hasGdal = gdalOrSkip('visit reports');
const font = LabelFont.load();

/** In this process, as its worker does it. */
async function print(engine: Engine, visit: Visit) {
  const to = path.join(emptyHome(), 'visit.pdf');
  const report = await reportOfVisit(engine, visit);
  const tools = {
    home: engine.home,
    now: () => new Date('2026-12-01T10:00:00Z'),
    progress: () => {},
    onStep: () => {},
  };
  const written = (await code.visit_report({ to, report }, tools as never)) as {
    pages: number;
    notes: string[];
    bytes: number;
  };
  return { ...written, pdf: fs.readFileSync(to) };
}

/** The text that each page draws, a line for each piece, and all other bytes unpacked. */
async function inside(pdf: Buffer) {
  const document = await PDFDocument.load(pdf, { throwOnInvalidObject: true });
  const raw = document.context.enumerateIndirectObjects().flatMap(([, one]) => {
    if (!(one instanceof PDFRawStream)) return [];
    const isPacked = String(one.dict).includes('/FlateDecode');
    return [isPacked ? inflateSync(one.contents).toString('latin1') : Buffer.from(one.contents).toString('latin1')];
  });
  const drawn = raw.filter((text) => text.includes(' Tj ET'));
  // The info dictionary is not a stream; its title is UTF-16.
  return { all: [pdf.toString('latin1'), ...raw].join('\n'), drawn: drawn.join('\n'), pages: drawn };
}

/** Longer texts are drawn in pieces of 60 glyphs. */
const shows = (drawn: string, text: string): boolean => drawn.includes(font.encode(text).slice(1, -1));

const draft = (engine: Engine, lot: Lot) =>
  (runRead(engine, 'visit_draft', { parcels: [lot.id] }) as ReadOutputOf<'visit_draft'>).visit as Visit;

test('the fields of the form are defined once, kept with undo, and fill each new visit', async () => {
  const engine = engineOn(sampleHome());
  const fields = () => (runRead(engine, 'visits', {}) as ReadOutputOf<'visits'>).fields;
  const before = fields();
  expect(before).toContain('Gate');
  await runChange(engine, 'set_visit_fields', { labels: ['Gate', ' Line found ', 'Gate', 'Hazards'] });
  expect(fields()).toEqual(['Gate', 'Line found', 'Hazards']);
  const lot = lotOf(engine, 'acres > 30');
  expect(draft(engine, lot).answers).toEqual(['Gate', 'Line found', 'Hazards'].map((label) => ({ label, text: '' })));
  const visit = { ...draft(engine, lot), visitor: 'Mira Quimby' };
  const { data } = await runChange(engine, 'keep_visit', visit as ChangeInputOf<'keep_visit'>);
  const kept = data as ChangeOutputOf<'keep_visit'>;
  expect(
    (await runChange(engine, 'keep_visit', { ...visit, visitor: 'Ann', visit_id: kept.visit_id } as never)).undo
      ?.sentence,
  ).toMatch(/^Changed the visit to/);
  const list = () =>
    (runRead(engine, 'visits', { property_id: lot.id }) as ReadOutputOf<'visits'>).visits.map(
      (one) => one.visit.visitor,
    );
  expect(list()).toEqual(['Ann']);
  await runChange(engine, 'undo', {});
  expect(list()).toEqual(['Mira Quimby']);
  await runChange(engine, 'undo', {});
  expect(list()).toEqual([]);
  await runChange(engine, 'undo', {});
  expect(fields()).toEqual(before);
  // JavaScript takes it for 2 March.
  await expect(runChange(engine, 'keep_visit', { ...visit, day: '2026-02-30' } as never)).rejects.toMatchObject({
    details: { day: ['2026-02-30 is no day'] },
  });
  await expect(runChange(engine, 'keep_visit', { ...visit, photos: [99] } as never)).rejects.toMatchObject({
    details: { photos: ['there is no 99: it may have been deleted'] },
  });
});

test.skipIf(!hasGdal)(
  'a report shows the walk of the day, its photos, the form, who and when; HEIC says what to do',
  async () => {
    const engine = engineOn(sampleHome());
    const lot = lotOf(engine, 'acres BETWEEN 30 AND 60');
    await walkAndShoot(engine, lot, { photos: 8, pictures: [scenery(emptyHome(), 200, 150, 1)] });
    const middle = [(lot.box.minX + lot.box.maxX) / 2, (lot.box.minY + lot.box.maxY) / 2] as const;
    const heic = makeHeic({ place: middle, takenAt: '2026:11:30 09:50:00' });
    await runChange(engine, 'add_photo', { name: 'a.heic', bytes: heic.toString('base64'), property_id: lot.id });
    const visit = { ...draft(engine, lot), visitor: 'Mira Quimby', owners: true, findings: 'One thing to settle.' };
    expect(visit).toMatchObject({ day: '2026-11-30', ended: '09:50', tracks: [1] });
    const { drawn, pages } = await inside((await print(engine, visit)).pdf);
    for (const text of [
      `Visit report · ${lot.apn}`,
      'Visited by Mira Quimby',
      'Signature',
      'One thing to settle.',
      'Boundaries are approximate, not a survey.',
    ])
      expect(shows(drawn, text), text).toBe(true);
    expect(shows(drawn, 'Settings, Camera, Formats,')).toBe(true);
    expect(pages.length).toBeGreaterThan(0);
    const { notes } = await print(engine, visit);
    expect(notes.join()).toMatch(/HEIC: save it as JPEG/);
  },
);

test('a kept visit leaves out a note that was deleted since; an end without a beginning and long answers are printed whole', async () => {
  const engine = engineOn(sampleHome());
  const lot = lotOf(engine, 'acres > 30');
  for (const text of ['First', 'Second']) await runChange(engine, 'add_note', { property_id: lot.id, text });
  const notes = engine.account.file.column<number>('SELECT note_id FROM notes ORDER BY note_id');
  const text = Array.from({ length: 150 }, (_, at) => `Row ${at}.`).join('\n');
  const visit: Visit = {
    parcels: [lot.id],
    day: '2026-11-30',
    ended: '11:20',
    notes,
    answers: [{ label: 'Gate', text }],
  };
  const kept = (await runChange(engine, 'keep_visit', visit as ChangeInputOf<'keep_visit'>)).data as {
    visit_id: number;
  };
  await runChange(engine, 'delete_note', { note_id: notes[0] as number } as never);
  const { visit: left } = getVisit(engine, kept.visit_id);
  expect(left.notes).toEqual([notes[1]]);
  const { drawn } = await inside((await print(engine, left)).pdf);
  for (const words of ['Mon 30 Nov 2026, until 11:20', 'Gate, continued', 'Row 0.', 'Row 149.', 'Second'])
    expect(shows(drawn, words), words).toBe(true);
  expect(shows(drawn, 'First')).toBe(false);
});

test.skipIf(!hasGdal)(
  'each number on the map has its row, each row its number or the word that it has none',
  async () => {
    const engine = engineOn(sampleHome());
    const lot = lotOf(engine, 'acres BETWEEN 30 AND 60');
    // All at one corner: numbers need room beside each other, and some find none.
    const place = [lot.box.minX, lot.box.minY] as const;
    await walkAndShoot(engine, lot, {
      photos: 60,
      pictures: [scenery(emptyHome(), 80, 60, 1)],
      make: (at) => (at % 3 === 0 ? {} : { place }),
    });
    const photos = (runRead(engine, 'field_marks', {}) as ReadOutputOf<'field_marks'>).photos;
    const visit: Visit = { parcels: [lot.id], day: '2026-11-30', photo_places: true };
    for (const chosen of [photos.slice(0, 5), photos.slice(0, 20), photos]) {
      const { pdf, notes } = await print(engine, { ...visit, photos: chosen.map(({ photo_id: id }) => id) });
      const { drawn } = await inside(pdf);
      /** Numbers in circles are bold, of 7.2 points. */
      const circled = (text: string): number =>
        drawn
          .split('\n')
          .filter(
            (line) =>
              line.startsWith('q 2 Tr') && line.includes('/F 7.2 Tf') && line.includes(`Tm ${font.encode(text)} Tj`),
          ).length;
      const words = drawn.split(font.encode('not on the map').slice(1, -1)).length - 1;
      // The legend of each map has a 1.
      const legends = drawn.split(font.encode('photo, looking').slice(1, -1)).length - 1;
      const twice = chosen.map((_, at) => circled(String(at + 1)) - (at === 0 ? legends : 0));
      expect(twice.every((count) => count === 1 || count === 2)).toBe(true);
      expect(words).toBe(twice.filter((count) => count === 1).length);
      expect(words > 0).toBe(notes.some((note) => /rows say so/.test(note)));
      // Each map is placed, and its layers can be switched.
      expect(await placingKeys(pdf)).toHaveLength(legends);
    }
  },
);

/** Nothing is found that may not be. @returns whether what may be is there */
function allowed(isTicked: boolean, found: readonly string[]): number {
  if (!isTicked) expect(found).toEqual([]);
  return found.length > 0 ? 1 : 0;
}

test.skipIf(!hasGdal)(
  `in ${runs(40, 300)} random reports nothing goes out that was not ticked: names, phones, addresses, notes, EXIF, file names`,
  async () => {
    const engine = engineOn(sampleHome());
    const { file } = engine.land;
    const lots = file.all<{ id: number; owner: string; mailing: string | null }>(
      "SELECT property_id AS id, owner_name AS owner, mailing_address AS mailing FROM parcels WHERE status = 'current' AND geom IS NOT NULL AND length(owner_name) > 6 AND acres BETWEEN 3 AND 80 ORDER BY property_id LIMIT 40",
    );
    const owners = file.column<string>('SELECT DISTINCT owner_name FROM parcels WHERE length(owner_name) > 6');
    const mailings = file.column<string>(
      'SELECT DISTINCT mailing_address FROM parcels WHERE length(mailing_address) > 6',
    );
    const situs = new Set(file.column<string>('SELECT DISTINCT situs_address FROM parcels'));
    const lot = lotOf(engine, 'acres BETWEEN 30 AND 60');
    await walkAndShoot(engine, lot, {
      photos: 6,
      pictures: [scenery(emptyHome(), 120, 90, 2)],
      make: () => ({ camera: ['Secretcam', 'Serial 12345'] }),
    });
    const photos = engine.account.file.column<number>('SELECT photo_id FROM photos');
    for (const { id } of lots)
      await runChange(engine, 'add_note', { property_id: id, text: `Call Quartermain 603-555-0142 about ${id}` });
    const notesOf = (id: number) =>
      engine.account.file.column<number>('SELECT note_id FROM notes WHERE property_id = ?', id);
    let state = 7;
    const chance = (): boolean => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32 < 0.5;
    };
    const seen = { owners: 0, mailing: 0, notes: 0, places: 0 };
    for (let run = 0; run < runs(40, 300); run++) {
      const { id, owner } = lots[run % lots.length] as (typeof lots)[number];
      const ticked = { owners: chance(), mailing: chance(), abutters: chance(), photo_places: chance() };
      const notes = chance() ? notesOf(id) : [];
      const visit: Visit = {
        parcels: [id],
        day: '2026-11-30',
        photos: photos.filter(chance),
        tracks: chance() ? [1] : [],
        notes,
        ...ticked,
      };
      const { all, drawn } = await inside((await print(engine, visit)).pdf);
      for (const secret of ['Exif', 'Secretcam', 'IMG_', '.JPG', engine.home, '.jpg'])
        expect(all.includes(secret), secret).toBe(false);
      const shown = owners.filter((name) => shows(drawn, name));
      seen.owners += allowed(
        ticked.owners,
        shown.filter((name) => !ticked.owners || name === owner),
      );
      const addresses = mailings.filter((address) => !situs.has(address) && shows(drawn, address));
      seen.mailing += allowed(ticked.mailing && ticked.abutters, addresses);
      const places = ['placed by time', 'photo, looking', 'not on the map'].filter((text) => shows(drawn, text));
      seen.places += allowed(ticked.photo_places, places);
      const note = ['Quartermain 603-555-0142'].filter((text) => shows(drawn, text));
      seen.notes += allowed(notes.length > 0, note);
    }
    // What is ticked is found by the same search, so that the search can fail.
    expect(Math.min(seen.owners, seen.mailing, seen.notes, seen.places)).toBeGreaterThan(0);
  },
  600_000,
);

test.skipIf(!hasGdal)(
  'the command prints a report with answers, flags and the baseline; a large photo is made smaller',
  async () => {
    const engine = engineOn(sampleHome());
    const { home } = engine;
    const lot = lotOf(engine, 'acres BETWEEN 30 AND 60');
    await walkAndShoot(engine, lot, { photos: 4, pictures: [scenery(emptyHome(), 2000, 1500, 3)] });
    engine.close();
    const file = path.join(emptyHome(), 'visit.pdf');
    const done = await platbook(
      home,
      'visit-report',
      file,
      '--parcel',
      lot.apn,
      '--by',
      'Mira Quimby',
      '--answer',
      'Gate=Locked',
      '--flag',
      'Gate',
      '--abutters',
      '--owners',
    );
    expect(done.err).toBe('');
    expect(done.out).toMatch(/^.*visit\.pdf: \d+ pages, 1:[\d,]+, \d photos?, 0\.\d MB/);
    const { all, drawn } = await inside(fs.readFileSync(file));
    for (const text of ['Locked', 'Visited by Mira Quimby', `Adjoiners of ${lot.apn}`, 'parcels and sources'])
      expect(shows(drawn, text), text).toBe(true);
    expect(all).toMatch(/\/Width 1200/);
    const wrong = await platbook(home, 'visit-report', file, '--parcel', lot.apn, '--flag', 'Gates');
    expect([wrong.code === 0, wrong.err]).toEqual([false, expect.stringContaining('there is no field "Gates"')]);
  },
);
