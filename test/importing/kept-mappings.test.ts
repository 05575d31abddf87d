/** Mappings of all three kinds as version 0.1 kept them, opened by this one. Their texts are what its code wrote. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { importContacts } from '../../engine/importing/lists/import-contacts.ts';
import { proposeContacts } from '../../engine/importing/lists/propose-contacts.ts';
import { parseMapping } from '../../engine/importing/mapping/mapping.ts';
import { loadNamedMapping, savedMappingNames, saveMapping } from '../../engine/importing/mapping/saved-mappings.ts';
import {
  compTarget,
  contactTarget,
  type MappingTarget,
  mappingTargets,
  parcelTarget,
} from '../../engine/importing/values/mapping-target.ts';
import { openPeopleStore } from '../../engine/store/people-store.ts';
import { clock, temporaryFolder, writeFile } from './fixtures.ts';

const alder = {
  name: 'alder',
  title: 'Guessed from alder.shp',
  note: 'apn 0.99',
  identity: { from: 'PIN', lettersAndDigits: true },
  join: { parcel: 'PIN', table: 'table.PIN' },
  columns: {
    apn: 'PIN',
    acres: { from: 'AREA', scaleBy: { unit: 'UNIT', factors: { AC: 1, SF: 0.0000229568 } } },
    owner_name: { concat: ['table.LAST', 'table.FIRST'], separator: ', ' },
    last_sale_date: { from: 'SALE', date: 'YYYYMMDD', nullIf: ['0'] },
  },
};

const broker = {
  name: 'broker',
  source: 'sales.csv',
  columns: {
    price: { from: ['Closed Price', 'Asking Price'] },
    lot_size: { from: 'Size', scale: 0.000022956841138659 },
    sold_date: 'Closing Date',
    apn: 'Parcel No',
    status: { from: 'Stat', map: { C: 'SOLD' }, otherwise: null },
  },
};

const tracers = {
  full_name: 'PTY',
  name_order: 'surname first',
  address: 'RESIDES',
  address_2: 'UNIT',
  city: 'TOWN',
  state: 'PV',
  zip: 'MAILCODE',
  phones: [
    { number: 'LINE A', line_type: 'KIND A', dnc: 'FLAG A', always: 'Mobile' },
    { number: 'LINE B', always: 'Landline' },
    { number: 'LINE C' },
  ],
  dnc: 'CALLSTOP',
};

const tracersToday = {
  name: 'tracers',
  columns: {
    full_name: 'PTY',
    name_order: { constant: 'surname first' },
    address: 'RESIDES',
    address_2: 'UNIT',
    city: 'TOWN',
    state: 'PV',
    zip: 'MAILCODE',
    dnc: 'CALLSTOP',
    phone_1: 'LINE A',
    phone_1_type: 'KIND A',
    phone_1_dnc: 'FLAG A',
    phone_1_usual_type: { constant: 'Mobile' },
    phone_2: 'LINE B',
    phone_2_usual_type: { constant: 'Landline' },
    phone_3: 'LINE C',
  },
};

const people = `PTY,RESIDES,UNIT,TOWN,PV,MAILCODE,LINE A,KIND A,FLAG A,LINE B,LINE C,CALLSTOP
MARSH ELLEN,12 Elm St,3,Nowhere,ZZ,00142,6035550101,VoIP,,6035550102,6035550103,no
"Oakes, John",44 Pond Rd,,Nowhere,ZZ,00142,6035550104,Landline,yes,,,
QUILL DORA,9 Hill Ln,,Nowhere,ZZ,00142,6035550105,,maybe,,,yes
`;

const textOf = (mapping: object): string => `${JSON.stringify(mapping, null, 2)}\n`;

/** A home with one mapping, as its text. */
function homeWith(folder: string, name: string, text: string): { home: string; file: string } {
  const home = temporaryFolder();
  const file = path.join(home, 'mappings', folder, `${name}.json`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return { home, file };
}

test.each<[MappingTarget, string, { readonly name: string }]>([
  [parcelTarget, '', alder],
  [compTarget, 'comps', broker],
])('one of $kind is read as it is, and its file stays as it was', (target, folder, mapping) => {
  const { home, file } = homeWith(folder, mapping.name, textOf(mapping));
  expect(savedMappingNames(home, target)).toEqual([mapping.name]);
  expect(loadNamedMapping(home, mapping.name, target)).toEqual(mapping);
  expect(fs.readFileSync(file, 'utf8')).toBe(textOf(mapping));
});

test('one of contacts is written once in the form of today, and nothing of it is lost', () => {
  const { home, file } = homeWith('contacts', 'tracers', textOf(tracers));
  expect(savedMappingNames(home, contactTarget)).toEqual(['tracers']);
  expect(loadNamedMapping(home, 'tracers', contactTarget)).toEqual(tracersToday);
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual(tracersToday);
  expect(fs.readdirSync(path.dirname(file))).toEqual(['tracers.json']);
  // A mapping in the current form is not rewritten.
  fs.writeFileSync(file, ` ${fs.readFileSync(file, 'utf8')}`);
  expect(loadNamedMapping(home, 'tracers', contactTarget)).toEqual(tracersToday);
  expect(fs.readFileSync(file, 'utf8')).toMatch(/^ \{/);
});

test('one of contacts imports as it did', () => {
  const store = openPeopleStore(temporaryFolder());
  onTestFinished(() => store.close());
  const mapping = parseMapping(tracers, 'given', contactTarget);
  const report = importContacts(store, { file: writeFile('people.csv', people), mapping, now: clock });
  const phones = store.file.all(
    'SELECT last_name, number, line_type, dnc FROM contacts JOIN contact_phones USING (contact_id) ORDER BY number',
  );
  // What version 0.1 made of the same file.
  expect(phones).toEqual([
    { last_name: 'MARSH', number: '6035550101', line_type: 'Mobile', dnc: 0 },
    { last_name: 'MARSH', number: '6035550102', line_type: 'Landline', dnc: 0 },
    { last_name: 'MARSH', number: '6035550103', line_type: null, dnc: 0 },
    { last_name: 'OAKES', number: '6035550104', line_type: 'Landline', dnc: 1 },
    { last_name: 'QUILL', number: '6035550105', line_type: 'Mobile', dnc: 1 },
  ]);
  expect(report.values_unread.by_reason).toEqual({ 'expected yes or no': 1 });
  expect(report.columns_ignored).toEqual([]);
});

test('one of contacts is proposed again for the next file, and where that cannot be written it is read all the same', () => {
  const { home, file } = homeWith('contacts', 'tracers', textOf(tracers));
  // A folder in the way of the file that would be written: it fails for root too.
  fs.mkdirSync(`${file}.${process.pid}.new`);
  const kept = loadNamedMapping(home, 'tracers', contactTarget);
  const proposal = proposeContacts(writeFile('people.csv', people), {}, kept);
  expect(fs.readFileSync(file, 'utf8')).toBe(textOf(tracers));
  expect(proposal.mapping).toEqual(tracersToday);
  expect(proposal.lack).toBeNull();
  expect(proposal.fields.find(({ field }) => field === 'phone_1_type')).toMatchObject({
    source: 'KIND A',
    reason: 'as kept',
  });
});

test('one that was spoilt by hand is refused by its path, and stays', () => {
  const text = '{"phones": [{"number": "A", "tpye": "B"}]}';
  const { home, file } = homeWith('contacts', 'spoilt', text);
  expect(() => loadNamedMapping(home, 'spoilt', contactTarget)).toThrow(/columns\.phone_1_tpye: .*did you mean/);
  expect(fs.readFileSync(file, 'utf8')).toBe(text);
});

test('a mapping of each kind is kept beside those of the others, under one name', () => {
  const home = temporaryFolder();
  const columns = { parcels: { apn: 'A' }, comps: { price: 'B' }, contacts: { last_name: 'C' } };
  for (const [kind, target] of Object.entries(mappingTargets)) {
    saveMapping(home, 'mine', { columns: columns[kind as keyof typeof columns] }, target);
  }
  for (const target of Object.values(mappingTargets)) {
    expect(loadNamedMapping(home, 'mine', target)).toEqual({ name: 'mine', columns: columns[target.kind] });
  }
  expect(() => saveMapping(home, 'redfin', { columns: columns.comps }, compTarget)).toThrow('name of a profile');
});
