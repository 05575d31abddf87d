/**
 * Time and memory of each format: `node test/exporting/speed.ts HOME` on a home of any size. Each format runs in a
 * separate process, because memory used by one is not returned before the next.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openEngine } from '../../engine/engine.ts';
import { openExportSource } from '../../engine/exporting/export-source.ts';
import { exportFormat, exportFormatNames, writeExport } from '../../engine/exporting/index.ts';
import { planeOfCode } from '../../engine/importing/formats/crs/reference-system.ts';
import { peakBytes } from '../support/peak-memory.ts';

const [home = '', format] = process.argv.slice(2);

async function measure(name: string): Promise<void> {
  const engine = openEngine({ home, keepsIndexes: false });
  const ids = engine.land.file.column<number>('SELECT property_id FROM parcels ORDER BY property_id');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-speed-'));
  const before = process.memoryUsage.rss();
  const began = performance.now();
  const cpu = process.cpuUsage();
  const source = openExportSource(home, { title: 'speed', ids, now: new Date(), plane: planeOfCode(26_914) });
  const file = path.join(folder, `speed.${exportFormat(name).ending}`);
  await writeExport(source, exportFormat(name), file);
  source.close();
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  console.log(
    `${name}: ${ids.length} rows × ${source.columns.length} columns, ${seconds.toFixed(1)} s (CPU ${((user + system) / 1e6).toFixed(1)} s), peak ${megabytes(peakBytes())} MB (${megabytes(before)} before), ${megabytes(fs.statSync(file).size)} MB written`,
  );
  engine.close();
  fs.rmSync(folder, { recursive: true });
}

if (format) await measure(format);
else {
  for (const name of exportFormatNames) {
    execFileSync(process.execPath, [import.meta.filename, home, name], { stdio: 'inherit' });
  }
}
