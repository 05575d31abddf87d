/**
 * One of several programs on a home: once told to go, it charges and writes notes in turn, as fast as it can. Arguments: the
 * home; how many of each; the parcel of its notes. What is refused because another one writes is tried again; at the end it
 * says how often.
 */
import { once } from 'node:events';
import { openEngine } from '../../engine/engine.ts';
import { EngineError } from '../../engine/index.ts';
import { runChange } from '../../engine/work/index.ts';

const [home = '', count = '1', parcel = '1'] = process.argv.slice(2);
const engine = openEngine({ home, keepsIndexes: false });
process.send?.('ready');
await once(process, 'message');
let refused = 0;
async function untilDone(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'file_locked') throw error;
    refused++;
    await untilDone(work);
  }
}
for (let n = 0; n < Number(count); n++) {
  await untilDone(() => engine.call('get_property', { id: 1 }));
  await untilDone(() => runChange(engine, 'add_note', { property_id: Number(parcel), text: `note ${n}` }));
}
engine.close();
process.send?.(refused);
process.disconnect?.();
