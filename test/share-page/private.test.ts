/** What a shared page holds: of random shares, nothing of people, money and the user's own work that was not ticked. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { getTracedOwner } from '../../engine/operations/skip-trace-property-owner.ts';
import { jpegSegments } from '../../engine/photos/photo-format.ts';
import { smallPhoto } from '../../engine/photos/small-photo.ts';
import { type ShareChoice, sharePage } from '../../engine/share-page/share-page.ts';
import { columnsOf, type PartName, partNames, publicFacts, shareParts } from '../../engine/share-page/share-parts.ts';
import { parcelColumns } from '../../engine/spec/parcel-columns.ts';
import { runChange } from '../../engine/work/index.ts';
import { keepTrace, parcelSubject } from '../../engine/work/store-traces.ts';
import { engineOn, openHomeCopy, removeHome, sampleHome } from '../support/homes.ts';
import { drawnPng, exifBlock } from '../support/make-photo.ts';
import { runs } from '../support/runs.ts';

const ids = Array.from({ length: 12 }, (_, at) => at + 1);

/** A word that stands nowhere else, by what it is and whose: `OWNERQXGZ`. In letters: names of people have no digits. */
const secret = (what: string, id: number): string => `${what.toUpperCase()}QX${String.fromCharCode(64 + id)}Z`;
const secretForm = /([A-Z]+)QX[A-L]Z/g;

/** Which part lets a secret go; those that are not here never go. */
const allowedBy: Readonly<Record<string, PartName>> = {
  owner: 'owners',
  second: 'owners',
  mailing: 'contacts',
  note: 'notes',
  step: 'deal',
};

/** Of a photo that the camera took at a place: a JPEG that can be decoded. */
async function photoAt(place: readonly [number, number]): Promise<Buffer> {
  const made = await smallPhoto(drawnPng(320), { side: 320, quality: 80 });
  if (!made) throw new Error('the drawn picture cannot be decoded');
  const block = exifBlock({ place, takenAt: '2026:11:25 14:05:30' });
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, (block.length + 2) >> 8, (block.length + 2) & 0xff]);
  return Buffer.concat([head, block, Buffer.from(made.bytes).subarray(2)]);
}

const places = new Map<number, readonly [number, number]>();

/** A home whose parcels have a secret in every column, note, deal, tag, trace and photo. */
async function fillWithSecrets(engine: Engine): Promise<void> {
  const { land, people } = engine;
  land.file.run("UPDATE datasets SET source_name = '/home/PATHQXAZ/lots.gdb'");
  for (const id of ids) {
    land.file.run(
      `UPDATE parcels SET owner_type = 'individual', owner_name = :owner, owner_name_2 = :second, mailing_address = :mailing, last_sale_seller_name = :seller,
         last_sale_buyer_name = :buyer, legal_description = :legal, mortgage_lender = :lender, tax_account_number = :tax,
         old_apn = :old, external_id = :external, mortgage_amount = :money, assessed_total_value = :money,
         market_total_value = :money, last_sale_price = :money, tax_amount = :money WHERE property_id = :id`,
      {
        ...{ id, money: 77_000_000 + id, owner: `${secret('owner', id)} JOHN`, second: secret('second', id) },
        ...{ mailing: secret('mailing', id), seller: secret('seller', id), buyer: secret('buyer', id) },
        ...{ legal: secret('legal', id), lender: secret('lender', id), tax: secret('tax', id) },
        ...{ old: secret('old', id), external: secret('external', id) },
      },
    );
    await runChange(engine, 'add_note', { property_id: id, text: secret('note', id) });
    keepTrace(people, parcelSubject(id), {
      asked: getTracedOwner(id, engine),
      result: { match: true, phones: [{ number: `+1603555${1000 + id}`, line_type: 'Mobile', dnc: false }] } as never,
      traced_at: '2026-11-01T00:00:00Z',
    });
  }
  for (const id of ids) {
    const deal = { next_what: secret('step', id), next_on: '2026-12-24', offer: 88_000_000 + id };
    await runChange(engine, 'update_deal', { ids: [id], stage: 'offer_made', ...deal });
  }
  await runChange(engine, 'tag', { ids, name: secret('tag', 1) });
  for (const id of ids.slice(0, 3)) {
    const point = land.file.get<{ lon: number; lat: number }>(
      'SELECT point_lon AS lon, point_lat AS lat FROM parcels WHERE property_id = ?',
      id,
    ) as { lon: number; lat: number };
    const place = [point.lon + 0.00031, point.lat + 0.00017] as const;
    places.set(id, place);
    const bytes = (await photoAt(place)).toString('base64');
    await runChange(engine, 'add_photo', { name: `${secret('photo', id)}.jpg`, bytes, property_id: id });
  }
}

let engine: Engine;
beforeAll(async () => {
  engine = openHomeCopy(sampleHome());
  await fillWithSecrets(engine);
}, 120_000);
afterAll(() => removeHome(engine));

/** All of its text: that of elements, attributes and the names of classes. */
function requireNothingElse(html: string, { parts = [] }: ShareChoice): void {
  const ticked = new Set(parts);
  const found = [...html.matchAll(secretForm)].map(([word, what]) => ({
    word,
    by: allowedBy[(what as string).toLowerCase()],
  }));
  expect(found.filter(({ by }) => by === undefined || !ticked.has(by))).toEqual([]);
  expect(/77,?000,?0\d\d/.test(html)).toBe(ticked.has('prices'));
  expect(/88,?000,?0\d\d/.test(html)).toBe(ticked.has('deal'));
  expect(/603555/.test(html)).toBe(ticked.has('contacts'));
  expect(html).not.toMatch(/property_id|photo_id|\/home\/|\/tmp\//);
  // Ids of elements are numbers of the page: p of parcels, f of photos, r of roads.
  const names = [...html.matchAll(/ id="([^"]*)"/g)].map(([, name]) => name);
  expect(names.filter((name) => !/^(?:[pfr]\d+|map|photos)$/.test(name as string))).toEqual([]);
}

/** The same numbers each time (a linear congruential generator, Numerical Recipes). */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('random shares hold nothing that is not ticked', async () => {
  const next = chance(37);
  const count = runs(60, 1000);
  for (let run = 0; run < count; run++) {
    const chosen = [...new Set(Array.from({ length: 1 + next(3) }, () => ids[next(ids.length)] as number))];
    const parts = partNames.filter(() => next(2) === 0);
    const photos = next(20) === 0 ? ('all' as const) : [];
    const choice: ShareChoice = { what: { ids: chosen }, parts: [...parts], photos };
    const { html } = await sharePage(engine, choice);
    requireNothingElse(html, choice);
  }
}, 600_000);

test('a photo goes as pixels alone: neither its name, place, time nor anything that the camera wrote', async () => {
  const { html, photos } = await sharePage(engine, { what: { ids: [1, 2, 3, 4] }, photos: 'all' });
  expect(photos).toBe(3);
  const files = [...html.matchAll(/data:image\/jpeg;base64,([^"]+)/g)].map(([, text]) =>
    Buffer.from(text as string, 'base64'),
  );
  expect(files).toHaveLength(3);
  for (const file of files) {
    expect(file.toString('latin1')).not.toMatch(/Exif|GPS|http|xpacket|2026:11:25/);
    // APP0 of JFIF, tables, frame, scan: no APP1 to APP15, no comment.
    const others = [...jpegSegments(file)].filter(
      ({ marker }) => (marker >= 0xe1 && marker <= 0xef) || marker === 0xfe,
    );
    expect(others).toEqual([]);
  }
  expect(html).not.toContain('class="pin"');
  const placed = await sharePage(engine, { what: { ids: [1, 2, 3, 4] }, photos: 'all', parts: ['photo_places'] });
  expect(placed.html.match(/<a href="#f\d+"/g)).toHaveLength(3);
  expect(html.length).toBeLessThan(placed.html.length);
}, 60_000);

test('each tick says how much goes, and an example', async () => {
  const { parts } = await sharePage(engine, { what: { ids: [...ids].reverse() } });
  const told = Object.fromEntries(parts.map(({ name, count, example }) => [name, [count, example]]));
  const [longitude, latitude] = places.get(1) as readonly [number, number];
  expect(told).toEqual({
    owners: [12, 'OWNERQXLZ JOHN'],
    contacts: [12, expect.stringContaining('MAILINGQXLZ')],
    prices: [12, '$77,000,012'],
    values: [0, null],
    deal: [12, 'Offer made'],
    notes: [12, expect.stringContaining('NOTEQXLZ')],
    photo_places: [3, `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`],
  });
});

test('every column of money, names and accounts stands in a part, or in no page at all', () => {
  const open = columnsOf(publicFacts);
  const closed = parcelColumns.filter(
    ({ name, type }) =>
      type === 'money' || type === 'id' || /owner|name|mailing|mortgage|account|_id$|legal|holding/.test(name),
  );
  expect(closed.map(({ name }) => name).filter((name) => (open as readonly string[]).includes(name))).toEqual([]);
  const all = [...open, ...shareParts.flatMap(({ rows }) => columnsOf(rows))];
  expect(new Set(all).size).toBe(all.length);
});

test('hostile texts stay texts', async () => {
  const engine = engineOn(sampleHome());
  const hostile = `</script><script>alert(1)</script>"'&<img src=x onerror=alert(1)>\u202Egnol`;
  engine.land.file.run(
    'UPDATE parcels SET apn = ?, owner_name = ?, zoning = ? WHERE property_id = 2',
    hostile,
    hostile,
    hostile,
  );
  await runChange(engine, 'add_note', { property_id: 2, text: hostile });
  const { html, name } = await sharePage(engine, { what: { ids: [2, 3] }, parts: ['owners', 'notes'], title: hostile });
  // The page's own script, and no other.
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toMatch(/<img src=x|onerror=alert\(1\)>(?!&)/);
  expect(html).toContain('&lt;/script&gt;');
  expect(html.slice(html.indexOf('<title>'), html.indexOf('</title>'))).not.toContain('\u202e');
  expect(name).toMatch(/^[\p{L}\p{N}., ()_-]+\.html$/u);
});

test('fifty parcels with photos stay below 5 MB', async () => {
  const engine = engineOn(sampleHome());
  const many = engine.land.file.column<number>(
    "SELECT property_id FROM parcels WHERE status = 'current' AND geom IS NOT NULL ORDER BY property_id LIMIT 50",
  );
  const next = chance(5);
  // Noise cannot be compressed: photos of this are as large as they get.
  for (const id of many.slice(0, 6)) {
    const bytes = drawnPng(1100, () => next(256)).toString('base64');
    await runChange(engine, 'add_photo', { name: 'noise.png', bytes, property_id: id });
  }
  const { html, parcels, photos, notes } = await sharePage(engine, {
    ...{ what: { ids: many }, parts: [...partNames], photos: 'all' },
  });
  expect(parcels).toBe(50);
  // What does not fit is said.
  expect(photos).toBeGreaterThan(1);
  expect(notes.join(' ').includes('too much for one file')).toBe(photos < 6);
  expect(Buffer.byteLength(html)).toBeGreaterThan(1_000_000);
  expect(Buffer.byteLength(html)).toBeLessThan(5_000_000);
});

test('what cannot be shared is refused with what was found', async () => {
  const engine = engineOn(sampleHome());
  const all = engine.land.file.column<number>("SELECT property_id FROM parcels WHERE status = 'current' LIMIT 501");
  await expect(sharePage(engine, { what: { ids: all } })).rejects.toThrow(/at most 500 parcels to share, found 501/);
  await expect(sharePage(engine, { what: { ids: [2] }, photos: [9] })).rejects.toMatchObject({
    details: { photos: ['these parcels have no photo 9'] },
  });
  await expect(sharePage(engine, { what: { ids: [2] }, parts: ['owner' as never] })).rejects.toMatchObject({
    code: 'validation_error',
  });
  await expect(sharePage(engine, { what: { owner_of: 999_999_999 } })).rejects.toMatchObject({ code: 'not_found' });
});
