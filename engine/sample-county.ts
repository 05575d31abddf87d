/** Loads the synthetic sample county into a home of its own. Nothing in it is real, and it never mixes with real data. */
import { v5 as uuidV5 } from 'uuid';
import { buildSampleCounty, type SampleComp, type SampleContact, sampleCounty } from '../data/sample/index.ts';
import type { Engine } from './engine.ts';
import { type ImportReport, importParcels } from './importing/import-parcels.ts';
import { EngineError } from './spec/errors.ts';
import type { LandStore } from './store/land-store.ts';
import type { PeopleStore } from './store/people-store.ts';

/** Namespace of comp ids: a comp keeps its id however often its source is read. */
const compNamespace = uuidV5('platbook:comps', uuidV5.URL);

const compId = (source: string, sourceId: string): string => uuidV5(`${source}\n${sourceId}`, compNamespace);

/** @throws EngineError sample_and_real when the home holds real data */
export async function loadSampleCounty(engine: Engine): Promise<ImportReport> {
  if (engine.land.kind === 'real') {
    throw new EngineError(
      'sample_and_real',
      `${engine.home} holds real data; the synthetic sample needs a home of its own (--home FOLDER).`,
    );
  }
  const { parcels, comps, contacts } = buildSampleCounty();
  const { land, people } = engine;
  const { fips, state, name, source, date } = sampleCounty;
  land.file.run('INSERT OR IGNORE INTO counties (fips, state, name) VALUES (?, ?, ?)', fips, state, name);
  const report = await importParcels(land, {
    features: parcels,
    fips,
    source,
    date,
    homeKind: 'sample',
    now: engine.now,
  });
  land.file.transaction(() => {
    land.file.run('DELETE FROM comps WHERE fips = ?', fips);
    for (const comp of comps) insertComp(comp, fips, land);
  });
  people.file.transaction(() => {
    people.file.run('DELETE FROM contacts WHERE source = ?', source);
    for (const contact of contacts) insertContact(contact, source, people);
  });
  return report;
}

function insertComp(comp: SampleComp, fips: string, { file }: LandStore): void {
  file.run(
    `INSERT INTO comps (comp_id, source, source_id, fips, status, address, city, state, zip, county, apn, latitude, longitude,
       lot_size, price, list_date, sold_date, days_on_market, sale_type, url, photos)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    compId(comp.source, comp.source_id),
    comp.source,
    comp.source_id,
    fips,
    comp.status,
    comp.address,
    comp.city,
    comp.state,
    comp.zip,
    comp.county,
    comp.apn,
    comp.latitude,
    comp.longitude,
    comp.lot_size,
    comp.price,
    comp.list_date,
    comp.sold_date,
    comp.days_on_market,
    comp.sale_type,
    comp.url,
    JSON.stringify(comp.photos),
  );
}

function insertContact(contact: SampleContact, source: string, { file }: PeopleStore): void {
  const { lastInsertRowid } = file.run(
    'INSERT INTO contacts (source, first_name, last_name, address, city, state, zip) VALUES (?, ?, ?, ?, ?, ?, ?)',
    source,
    contact.first_name,
    contact.last_name,
    contact.address,
    contact.city,
    contact.state,
    contact.zip,
  );
  for (const [position, phone] of contact.phones.entries()) {
    const dnc = phone.dnc === null ? null : Number(phone.dnc);
    file.run(
      'INSERT INTO contact_phones (contact_id, position, number, line_type, dnc) VALUES (?, ?, ?, ?, ?)',
      lastInsertRowid,
      position,
      phone.number,
      phone.line_type,
      dnc,
    );
  }
}
