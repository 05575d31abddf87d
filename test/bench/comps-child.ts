/** Copies a home and fills the copy with comps, in a process of its own: nothing of it is measured. */
import fs from 'node:fs';
import { openEngine } from '../../engine/engine.ts';
import { writeGeneratedComps } from './generated-comps.ts';

const comps = 200_000;

const [home = '', copy = ''] = process.argv.slice(2);
fs.rmSync(copy, { recursive: true, force: true });
fs.cpSync(home, copy, { recursive: true });
const engine = openEngine({ home: copy, keepsIndexes: false });
writeGeneratedComps(engine.land, comps, 20_261_120);
engine.land.file.exec('ANALYZE');
engine.close();
