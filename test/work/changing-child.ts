/** Writes notes on parcels as fast as it can, one process of several; says after each how many were acknowledged. */
import { openEngine } from '../../engine/engine.ts';
import { runChange } from '../../engine/work/index.ts';

const [home = '', first = '1', count = '1'] = process.argv.slice(2);
const engine = openEngine({ home, keepsIndexes: false });
for (let i = 0; i < Number(count); i++) {
  await runChange(engine, 'add_note', { property_id: Number(first) + (i % 500), text: `note ${i}` });
  process.send?.(i + 1);
}
engine.close();
process.disconnect?.();
