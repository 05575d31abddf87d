/**
 * Charges as fast as it can and reports after each answer how many were acknowledged: to its parent, which kills it, or
 * else to standard output. Arguments: the home; how many (default: no end); a value of `PRAGMA synchronous`, to weaken.
 */
import fs from 'node:fs';
import { openEngine } from '../../engine/engine.ts';

const [home = '', most = 'Infinity', synchronous] = process.argv.slice(2);
const engine = openEngine({ home });
if (synchronous) engine.account.file.pragma(`synchronous = ${synchronous}`);
for (let acknowledged = 0; acknowledged < Number(most); ) {
  const answers = await Promise.all(Array.from({ length: 8 }, () => engine.call('get_property', { id: 1 })));
  acknowledged += answers.length;
  if (process.send) process.send(acknowledged);
  else fs.writeSync(1, `${acknowledged}\n`);
}
engine.close();
process.disconnect?.();
