/** `npm run sample`: makes the sample county and packs it into data/sample, from where it is unpacked into homes. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { vacuumInto } from '../../engine/backup/backup-home.ts';
import { packedSample, sampleAir, sampleFiles } from '../../engine/sample-county.ts';
import { leaveHome } from '../../engine/store/home-identity.ts';
import { openLandStore } from '../../engine/store/land-store.ts';
import { openPeopleStore } from '../../engine/store/people-store.ts';
import { packedHeightsFile, packedWidth, stepsPerFoot } from '../../engine/terrain/sample-heights.ts';
import { addAir } from './air-photo.ts';
import { sampleGround } from './ground.ts';
import { makeSample } from './make-sample.ts';

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-sample-'));
await makeSample(home);
for (const open of [openPeopleStore, (folder: string) => openLandStore(folder, () => 0)]) {
  const { file } = open(home);
  leaveHome(file);
  const copy = `${file.path}.copy`;
  vacuumInto(file, copy);
  file.close();
  fs.renameSync(copy, file.path);
}
await addAir(home);
for (const name of [...sampleFiles, ...sampleAir]) write(packedSample(name), fs.readFileSync(path.join(home, name)));
write(packedHeightsFile, await packedHeights());
fs.rmSync(home, { recursive: true });

function write(target: string, content: Uint8Array): void {
  const { BROTLI_PARAM_LGWIN: window, BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: size } = constants;
  // The highest quality, 11, takes a minute for a tenth less.
  const packed = brotliCompressSync(content, { params: { [window]: 24, [quality]: 9, [size]: content.length } });
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, packed);
  console.log(`${path.basename(target)}: ${packed.length} bytes of ${content.length}`);
}

/** As `openSampleHeights` reads them. */
async function packedHeights(): Promise<Uint8Array> {
  const { width, height } = sampleGround;
  const { heights } = await sampleGround.read({ left: 0, top: 0, right: width, bottom: height });
  const steps = heights.map((feet) => Math.round(feet * stepsPerFoot));
  const before = (at: number): number => steps[at] ?? 0;
  const differences = Int16Array.from(steps, (step, at) => {
    const left = at % packedWidth === 0 ? 0 : before(at - 1) - before(at - 1 - packedWidth);
    return step - left - before(at - packedWidth);
  });
  return new Uint8Array(differences.buffer);
}
