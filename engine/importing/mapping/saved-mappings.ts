/** The user's saved mappings: one file each in `<home>/mappings`, with subfolders for comps and contacts. */
import fs from 'node:fs';
import path from 'node:path';
import { entryKind } from '../../plain-file.ts';
import { EngineError } from '../../spec/errors.ts';
import { type MappingTarget, parcelTarget } from '../values/mapping-target.ts';
import { loadMapping, type Mapping, parseMapping, profileNames } from './mapping.ts';

const folderOf = (home: string, { kind }: MappingTarget): string =>
  path.join(home, 'mappings', kind === 'parcels' ? '' : kind);

const fitName = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** @throws EngineError usage: the name becomes a file name, and must not hide a profile */
function checkName(name: string, target: MappingTarget): void {
  if (!fitName.test(name)) {
    throw new EngineError(
      'usage',
      `Expected a name of a mapping in small letters, digits, - and _, found ${JSON.stringify(name)}.`,
    );
  }
  if (profileNames(target).includes(name)) {
    throw new EngineError('usage', `${name} is the name of a profile that comes with Platbook; take another.`);
  }
}

export const mappingPath = (home: string, name: string, target = parcelTarget): string =>
  path.join(folderOf(home, target), `${name}.json`);

/**
 * Writes `<home>/mappings/NAME.json`, whole or not at all; replaces one of the same name.
 * @returns its path
 * @throws EngineError usage, mapping_invalid
 */
export function saveMapping(
  home: string,
  name: string,
  mapping: Readonly<Record<string, unknown>>,
  target = parcelTarget,
): string {
  checkName(name, target);
  const checked = { ...parseMapping({ ...mapping, name }, name, target), name };
  const filePath = mappingPath(home, name, target);
  fs.mkdirSync(path.dirname(filePath), { recursive: true, mode: 0o700 });
  writeWhole(filePath, checked);
  return filePath;
}

/** Two programs may save the same mapping at once: each writes a file of its own, and the last one stays. */
function writeWhole(filePath: string, mapping: Mapping): void {
  const temporary = `${filePath}.${process.pid}.new`;
  fs.rmSync(temporary, { force: true });
  fs.writeFileSync(temporary, `${JSON.stringify(mapping, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
  fs.renameSync(temporary, filePath);
}

/** Names of the mappings saved in the home. */
export function savedMappingNames(home: string, target = parcelTarget): string[] {
  const folder = folderOf(home, target);
  if (entryKind(folder) !== 'folder') return [];
  return fs
    .readdirSync(folder)
    .filter((file) => file.endsWith('.json') && fitName.test(file.slice(0, -'.json'.length)))
    .filter((file) => entryKind(path.join(folder, file)) === 'file')
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/**
 * A mapping by its saved name, by the name of a profile, or by file path. Rewrites one saved by an earlier version in
 * the current form.
 * @throws like `loadMapping`
 */
export function loadNamedMapping(home: string, nameOrPath: string, target = parcelTarget): Mapping {
  if (!savedMappingNames(home, target).includes(nameOrPath)) return loadMapping(nameOrPath, target);
  const filePath = mappingPath(home, nameOrPath, target);
  const mapping = loadMapping(filePath, target);
  if (isOfEarlierForm(filePath, target)) {
    try {
      writeWhole(filePath, mapping);
    } catch {
      // The home is read-only or full: the old file stays and remains readable.
    }
  }
  return mapping;
}

function isOfEarlierForm(filePath: string, { earlier }: MappingTarget): boolean {
  if (!earlier) return false;
  const given: unknown = JSON.parse(fs.readFileSync(filePath, 'utf8').replace(/^\ufeff/, ''));
  return earlier(given, filePath) !== given;
}
