/** A careless script: makes the index stale, and ends after a while without closing its engine. Arguments: home, milliseconds or `never`. */
import { openEngine } from '../../engine/engine.ts';

const [home = '', milliseconds = '0'] = process.argv.slice(2);
const engine = openEngine({ home });
engine.land.file.run("UPDATE parcels SET owner_name = 'NEW OWNER' WHERE property_id = 1");
await engine.call('filter_properties', { county: '99001' });
if (milliseconds !== 'never') setTimeout(() => process.exit(0), Number(milliseconds));
