/** Mappings of contacts and comps that the user kept: one file each in `<home>/mappings/contacts` and `…/comps`. */
import fs from 'node:fs';
import path from 'node:path';
import { EngineError } from '../../spec/errors.ts';
import { type CompMapping, loadCompMapping, parseCompMapping } from '../comp-mapping.ts';
import { type ContactMapping, parseContactMapping } from '../contact-mapping.ts';
import type { ListKind } from '../list-proposal.ts';

const fitName = /^[a-z0-9][a-z0-9_-]{0,63}$/;

const pathOf = (home: string, as: ListKind, name: string): string => path.join(home, 'mappings', as, `${name}.json`);

/**
 * Whole or not at all; one of the same name is replaced.
 * @returns its path
 * @throws EngineError usage, mapping_invalid
 */
export function saveListMapping(
  home: string,
  as: ListKind,
  name: string,
  mapping: Readonly<Record<string, unknown>>,
): string {
  if (!fitName.test(name)) {
    throw new EngineError(
      'usage',
      `Expected a name of a mapping in small letters, digits, - and _, found ${JSON.stringify(name)}.`,
    );
  }
  const checked = as === 'contacts' ? parseContactMapping(mapping) : parseCompMapping({ ...mapping, name }, name);
  const file = pathOf(home, as, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(checked, null, 2)}\n`);
  fs.renameSync(`${file}.new`, file);
  return file;
}

/** Names of those that are kept. */
export function savedListMappings(home: string, as: ListKind): string[] {
  const folder = path.dirname(pathOf(home, as, 'any'));
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .filter((name) => fitName.test(name))
    .sort();
}

/** By the name it was kept under, or by the path of its file. @throws EngineError file_missing, mapping_invalid */
export function loadContactMapping(home: string, nameOrPath: string): ContactMapping {
  const names = savedListMappings(home, 'contacts');
  const file = names.includes(nameOrPath) ? pathOf(home, 'contacts', nameOrPath) : nameOrPath;
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    const kept = names.length > 0 ? `none of those that are kept (${names.join(', ')})` : 'none that is kept';
    throw new EngineError(
      'file_missing',
      `No mapping ${nameOrPath}: it is ${kept}, and as a file it cannot be read (${(error as NodeJS.ErrnoException).code}).`,
      { cause: error },
    );
  }
  try {
    return parseContactMapping(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw new EngineError('mapping_invalid', `${file} cannot be read as JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** By the name it was kept under, of a profile, or by the path of its file. @throws as `loadCompMapping` */
export const loadNamedCompMapping = (home: string, nameOrPath: string): CompMapping =>
  loadCompMapping(
    savedListMappings(home, 'comps').includes(nameOrPath) ? pathOf(home, 'comps', nameOrPath) : nameOrPath,
  );
