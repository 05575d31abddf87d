/** The parts of a folder of Parquet files, as every tool writes large ones: `state=KS/county=20163/part-0.parquet`. */
import fs from 'node:fs';
import path from 'node:path';
import { endsAs, importFormats } from '../../../spec/import-formats.ts';
import type { PartPlace } from './geoparquet-reader.ts';
import { refusal } from './parquet-damage.ts';

const deepest = 6;
const maxParts = 100_000;
const isPart = (name: string): boolean => endsAs(name, (format) => format === importFormats.geoparquet);
/** Other programs' marks and leftovers: `_SUCCESS`, `.crc`. */
const isHidden = (name: string): boolean => /^[._]/.test(name);

/** In the order of their paths; null if the folder has none. */
export function findParts(folder: string): PartPlace[] | null {
  const parts: PartPlace[] = [];
  const descend = (place: string, keys: PartPlace['keys'], depth: number): void => {
    const entries = fs.readdirSync(place, { withFileTypes: true }).filter(({ name }) => !isHidden(name));
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const own = path.join(place, entry.name);
      if (entry.isFile() && isPart(entry.name)) parts.push({ path: own, keys });
      if (parts.length > maxParts) throw refusal(folder, `expected at most ${maxParts} files of Parquet, found more`);
      if (entry.isDirectory() && depth < deepest && !/\.gdb$/i.test(entry.name))
        descend(own, { ...keys, ...keyOf(entry.name) }, depth + 1);
    }
  };
  descend(folder, {}, 0);
  return parts.length > 0 ? parts : null;
}

function keyOf(name: string): Record<string, string> {
  const at = name.indexOf('=');
  if (at < 1) return {};
  try {
    return { [name.slice(0, at)]: decodeURIComponent(name.slice(at + 1)) };
  } catch {
    return {};
  }
}
