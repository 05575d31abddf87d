/**
 * Mapping files for comps: which column of a listing or sales file goes to which column of the comp dictionary. The
 * expressions are those of parcel mappings; there is no join and no identity.
 */
import fs from 'node:fs';
import path from 'node:path';
import { compColumnsByName } from '../comps/comp-columns.ts';
import { packageRoot } from '../package-root.ts';
import { EngineError, type ErrorDetails } from '../spec/errors.ts';
import { nearNames } from '../spec/validate.ts';
import { type Expression, type Mapping, parseMapping, usesTable } from './mapping.ts';

export type CompMapping = Pick<Mapping, 'name' | 'title' | 'note' | 'source' | 'date' | 'columns'>;

const maxFileBytes = 1024 * 1024;

/** A parcel column that takes every expression: the parser of mappings knows only columns of parcels. */
const standIn = 'external_id';
const standInPath = `columns.${standIn}`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Problems of one column's expression, under the column's own path. */
function expressionProblems(column: string, expression: unknown, name: string): ErrorDetails {
  const at = `columns.${column}`;
  if (!compColumnsByName.has(column)) {
    const near = nearNames(column, [...compColumnsByName.keys()]);
    return { [at]: [`no column of comps${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''}`] };
  }
  try {
    parseMapping({ name, columns: { [standIn]: expression } }, name);
  } catch (error) {
    if (!(error instanceof EngineError) || !error.details) throw error;
    return Object.fromEntries(
      Object.entries(error.details).map(([where, messages]) => [where.replace(standInPath, at), messages]),
    );
  }
  return usesTable(expression as Expression) ? { [at]: ['comps have no joined table; name the column alone'] } : {};
}

/**
 * A checked mapping.
 * @throws EngineError mapping_invalid with every problem under its path (`columns.price.scale`)
 */
export function parseCompMapping(value: unknown, name: string): CompMapping {
  if (!isObject(value) || !isObject(value.columns)) return parseMapping(value, name);
  const { columns, ...rest } = value;
  parseMapping({ ...rest, columns: { [standIn]: { constant: name } } }, name);
  const problems: ErrorDetails = {};
  if (Object.keys(columns).length === 0) problems.columns = ['expected at least one column, found none'];
  for (const other of ['join', 'identity', 'jurisdiction']) {
    if (rest[other] !== undefined) problems[other] = ['means nothing for comps'];
  }
  for (const [column, expression] of Object.entries(columns)) {
    Object.assign(problems, expressionProblems(column, expression, name));
  }
  const [first] = Object.entries(problems);
  if (!first) return value as unknown as CompMapping;
  const others = Object.keys(problems).length - 1;
  throw new EngineError(
    'mapping_invalid',
    `The mapping ${name} is not valid: ${first[0]}: ${first[1][0]}${others > 0 ? ` (and ${others} more)` : ''}.`,
    { details: problems },
  );
}

/** Beside the profiles of parcels, which are another kind of file. */
const profilesFolder = path.join(packageRoot, 'data', 'profiles', 'comps');

/** Names of the comp profiles that come with Platbook. */
export const compProfileNames = (): string[] =>
  fs
    .readdirSync(profilesFolder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();

/**
 * A profile by its name, or a mapping by the path of its file.
 * @throws EngineError file_missing, mapping_invalid
 */
export function loadCompMapping(nameOrPath: string): CompMapping {
  const names = compProfileNames();
  const filePath = names.includes(nameOrPath) ? path.join(profilesFolder, `${nameOrPath}.json`) : nameOrPath;
  const text = readMappingFile(filePath, nameOrPath, names);
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new EngineError('mapping_invalid', `The mapping ${nameOrPath} is no JSON: ${why}.`, { cause: error });
  }
  return parseCompMapping(value, nameOrPath);
}

function readMappingFile(filePath: string, nameOrPath: string, names: readonly string[]): string {
  try {
    const { size } = fs.statSync(filePath);
    if (size <= maxFileBytes) return fs.readFileSync(filePath, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new EngineError(
      'file_missing',
      `No mapping ${nameOrPath}: it is no profile of comps (${names.join(', ')}), and as a file it cannot be read (${code}).`,
      { cause: error },
    );
  }
  throw new EngineError('mapping_invalid', `${filePath}: expected a mapping of at most 1 MB, found more.`);
}
