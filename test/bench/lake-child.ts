/** Writes a lake in a process of its own, for its peak memory: HOME FOLDER. */
import { writeLake } from '../../engine/exporting/lake.ts';
import { peakBytes } from '../support/peak-memory.ts';
import { megabytes, whole } from './statistics.ts';

const [home = '', folder = ''] = process.argv.slice(2);
const began = performance.now();
const { parcels, bytes } = await writeLake(home, folder, { now: new Date() });
const { user, system } = process.cpuUsage();
const cpu = (user + system) / 1e6;
process.send?.(
  `${whole(parcels)} parcels, ${megabytes(bytes)}: ${((performance.now() - began) / 1000).toFixed(1)} s, ${cpu.toFixed(1)} s of CPU (${whole(parcels / cpu)} rows/s), peak ${megabytes(peakBytes())}`,
);
process.disconnect?.();
