/** Loads the synthetic sample county into its own home. All of it is invented, and it never mixes with real data. */

import path from 'node:path';
import { sampleGround } from '../data/sample/ground.ts';
import { buildSampleCounty, type SampleContact, sampleCounty } from '../data/sample/index.ts';
import type { Contact } from './contacts/match-contact.ts';
import type { Engine } from './engine.ts';
import { enrich } from './enrichment/enrich.ts';
import { insertContact } from './importing/lists/contact-writer.ts';
import { importComps } from './importing/lists/import-comps.ts';
import { type ImportReport, importParcels } from './importing/merge/import-parcels.ts';
import { packageRoot } from './package-root.ts';
import type { LayerKind, LayerLook } from './spec/layer-titles.ts';
import { expectKind } from './store/home-kind.ts';
import { keepHeights } from './terrain/keep-heights.ts';

/** Imports the sample with its land. @throws EngineError sample_and_real if the home holds real data */
export async function loadSampleCounty(engine: Engine): Promise<ImportReport> {
  const report = await loadSampleParcels(engine);
  await drawSampleCounty(engine);
  return report;
}

/** Imports its parcels, comps and contacts. @throws EngineError sample_and_real */
export async function loadSampleParcels(engine: Engine): Promise<ImportReport> {
  expectKind('home', engine.land.kind, 'sample');
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

/** Files below data/sample/layers, in the order of loading: a start that was interrupted begins again. */
const layers: readonly {
  readonly file: string;
  readonly kind: LayerKind;
  readonly look?: LayerLook;
  title?: string;
}[] = [
  { file: 'water', kind: 'water' },
  { file: 'streams', kind: 'other', look: 'stream', title: 'Streams' },
  { file: 'woods', kind: 'other', look: 'woods', title: 'Woods' },
  { file: 'public', kind: 'other', look: 'public', title: 'Public forest' },
  { file: 'places', kind: 'other', look: 'place', title: 'Towns and hills' },
  { file: 'roads', kind: 'roads' },
  { file: 'buildings', kind: 'buildings' },
  { file: 'wetlands', kind: 'wetlands' },
  { file: 'flood', kind: 'flood' },
  { file: 'plss', kind: 'plss' },
];

/** Adds the sample's heights and map layers. Does nothing to a home that has them. */
export async function drawSampleCounty({ home, land, now }: Engine): Promise<void> {
  const { fips, source, date } = sampleCounty;
  const loaded = land.file.get<{ layers: number }>('SELECT count(*) AS layers FROM layers WHERE fips = ?', fips);
  if (loaded?.layers === layers.length) return;
  for (const { file, ...layer } of layers) {
    await enrich(land, {
      ...{ ...layer, fips, source, date, now, coverage: 'county' },
      file: path.join(packageRoot, 'data', 'sample', 'layers', `${file}.geojson`),
    });
  }
  await keepHeights(home, sampleGround, {
    ...{ fips, box: wholeEarth, content: date, attribution: '' },
    onTile: () => {},
  });
}

const wholeEarth = { minX: -180, minY: -90, maxX: 180, maxY: 90 };

const contactOf = ({ first_name, last_name, phones, ...place }: SampleContact): Contact => ({
  ...place,
  firstName: first_name,
  middleName: null,
  lastName: last_name,
  suffix: null,
  phones: phones.map(({ number, line_type, dnc }) => ({ number, lineType: line_type, dnc })),
});
