/** `npm run sample-ground`: writes the sample's map layers, which ship, since making them takes longer than loading them. */
import fs from 'node:fs';
import path from 'node:path';
import { mapLayerFiles } from './map-layer-files.ts';

const folder = path.join(import.meta.dirname, 'layers');
fs.mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(mapLayerFiles())) {
  fs.writeFileSync(path.join(folder, name), text);
  console.log(`${name}: ${Buffer.byteLength(text)} bytes`);
}
