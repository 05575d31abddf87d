/** Imports one file into a home, for a parent that kills it in the middle. */
import { openEngine } from '../../engine/engine.ts';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';

const [home = '', file = '', date = ''] = process.argv.slice(2);
const engine = openEngine({ home });
process.send?.('open');
await importParcels(engine.land, {
  files: [file],
  fips: '33019',
  source: 'generated',
  date,
  homeKind: 'real',
  now: engine.now,
});
engine.close();
process.send?.('done');
