/** Loads the synthetic sample county into its own home. All of it is invented, and it never mixes with real data. */
import { buildSampleCounty, type SampleContact, sampleCounty } from '../data/sample/index.ts';
import type { Contact } from './contacts/match-contact.ts';
import type { Engine } from './engine.ts';
import { insertContact } from './importing/lists/contact-writer.ts';
import { importComps } from './importing/lists/import-comps.ts';
import { type ImportReport, importParcels } from './importing/merge/import-parcels.ts';
import { EngineError } from './spec/errors.ts';

/** Imports parcels, comps and contacts of the sample. @throws EngineError sample_and_real if the home holds real data */
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
  // An import keeps comps that its file lacks, here those of an earlier version of the sample.
  land.file.run('DELETE FROM comps WHERE fips = ?', fips);
  importComps(land, {
    features: comps.map((comp) => ({ geometry: null, properties: { ...comp } })),
    fips,
    source,
    date,
    homeKind: 'sample',
    now: engine.now,
  });
  people.file.transaction(() => {
    people.file.run('DELETE FROM contacts WHERE source = ?', source);
    for (const contact of contacts) insertContact(people.file, source, contactOf(contact), null);
  });
  return report;
}

const contactOf = ({ first_name, last_name, phones, ...place }: SampleContact): Contact => ({
  ...place,
  firstName: first_name,
  middleName: null,
  lastName: last_name,
  suffix: null,
  phones: phones.map(({ number, line_type, dnc }) => ({ number, lineType: line_type, dnc })),
});
