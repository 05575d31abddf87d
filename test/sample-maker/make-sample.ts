/** Makes the sample county in an open home: imported and enriched like any county, from what the generator invents. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Contact } from '../../engine/contacts/match-contact.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { enrich } from '../../engine/enrichment/enrich.ts';
import { insertContact } from '../../engine/importing/lists/contact-writer.ts';
import { importComps } from '../../engine/importing/lists/import-comps.ts';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';
import type { LayerKind, LayerLook } from '../../engine/spec/layer-titles.ts';
import { buildSampleCounty, type SampleContact, sampleCounty } from './index.ts';
import { mapLayerFiles } from './map-layer-files.ts';

/** Makes the whole sample at one moment, so that it is the same each time. */
export async function makeSample(home: string): Promise<void> {
  const engine = openEngine({ home, create: true, keepsIndexes: false, now: () => new Date(sampleCounty.date) });
  try {
    await loadParcels(engine);
    await loadLayers(engine);
  } finally {
    engine.close();
  }
}

async function loadParcels({ land, people, now }: Engine): Promise<void> {
  const { parcels, comps, contacts } = buildSampleCounty();
  const { fips, state, name, source, date } = sampleCounty;
  land.file.run('INSERT INTO counties (fips, state, name) VALUES (?, ?, ?)', fips, state, name);
  const from = { fips, source, date, homeKind: 'sample', now } as const;
  await importParcels(land, { ...from, features: parcels });
  importComps(land, { ...from, features: comps.map((comp) => ({ geometry: null, properties: { ...comp } })) });
  people.file.transaction(() => {
    for (const contact of contacts) insertContact(people.file, source, contactOf(contact), null);
  });
}

const layers: readonly {
  readonly file: string;
  readonly kind: LayerKind;
  readonly look?: LayerLook;
  readonly title?: string;
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

async function loadLayers({ land, now }: Engine): Promise<void> {
  const { fips, source, date } = sampleCounty;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-layers-'));
  try {
    for (const [name, text] of Object.entries(mapLayerFiles())) fs.writeFileSync(path.join(folder, name), text);
    for (const { file, ...layer } of layers) {
      await enrich(land, {
        ...{ ...layer, fips, source, date, now, coverage: 'county' },
        file: path.join(folder, `${file}.geojson`),
      });
    }
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

const contactOf = ({ first_name, last_name, phones, ...place }: SampleContact): Contact => ({
  ...place,
  firstName: first_name,
  middleName: null,
  lastName: last_name,
  suffix: null,
  phones: phones.map(({ number, line_type, dnc }) => ({ number, lineType: line_type, dnc })),
});
