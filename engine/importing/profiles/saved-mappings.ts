/** Mappings that the user kept, one file each in `<home>/mappings`. */
import fs from 'node:fs';
import path from 'node:path';
import { EngineError } from '../../spec/errors.ts';
import { loadMapping, type Mapping, parseMapping, profileNames } from '../mapping.ts';

const folderOf = (home: string): string => path.join(home, 'mappings');

const fitName = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** @throws EngineError usage: it becomes the name of a file, and must not hide a profile */
function checkName(name: string): void {
  if (!fitName.test(name)) {
    throw new EngineError(
      'usage',
      `Expected a name of a mapping in small letters, digits, - and _, found ${JSON.stringify(name)}.`,
    );
  }
  if (profileNames().includes(name)) {
    throw new EngineError('usage', `${name} is the name of a profile that comes with Platbook; take another.`);
  }
}

export const mappingPath = (home: string, name: string): string => path.join(folderOf(home), `${name}.json`);

/**
 * Writes `<home>/mappings/NAME.json`, whole or not at all.
 * @returns its path
 * @throws EngineError usage, mapping_invalid
 */
export function saveMapping(home: string, name: string, mapping: Mapping): string {
  checkName(name);
  const checked = parseMapping({ ...mapping, name }, name);
  const filePath = mappingPath(home, name);
  fs.mkdirSync(folderOf(home), { recursive: true });
  const temporary = `${filePath}.new`;
  fs.writeFileSync(temporary, `${JSON.stringify(checked, null, 2)}\n`);
  fs.renameSync(temporary, filePath);
  return filePath;
}

/** Names of the mappings that are kept in the home. */
export function savedMappingNames(home: string): string[] {
  const folder = folderOf(home);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((file) => file.endsWith('.json') && fitName.test(file.slice(0, -'.json'.length)))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/** A mapping by the name it was kept under, by the name of a profile, or by the path of its file. @throws as `loadMapping` */
export const loadNamedMapping = (home: string, nameOrPath: string): Mapping =>
  loadMapping(savedMappingNames(home).includes(nameOrPath) ? mappingPath(home, nameOrPath) : nameOrPath);
