/**
 * Other names for filters and metering keys, from the filter table and from `aliases.json` in the home. A user adds a name
 * of the hosted service there without waiting for a release.
 */
import path from 'node:path';
import { readPlainText } from './plain-file.ts';
import { EngineError, type ErrorDetails } from './spec/errors.ts';
import { filterKinds } from './spec/filter-kinds.ts';
import { type FilterRow, filters } from './spec/filters.ts';
import { nearNames } from './spec/validate.ts';

const fileName = 'aliases.json';

export interface Aliases {
  /** Another wire field → the field of the filter table. */
  readonly fields: ReadonlyMap<string, string>;
  /** Metering key → the name to write instead. */
  readonly metering: ReadonlyMap<string, string>;
}

const fieldsOf = (row: FilterRow): string[] => Object.keys(filterKinds[row.kind].fields(row));

/** An alias of a filter names all its fields (`size` for `acres`: `size_min`, `size_max`); an alias of a field, that field. */
function expand(alias: string, target: string): [string, string][] {
  const row = filters.find(({ name }) => name === target);
  if (row)
    return [[alias, target], ...fieldsOf(row).map((field): [string, string] => [field.replace(target, alias), field])];
  return filters.some((candidate) => fieldsOf(candidate).includes(target)) ? [[alias, target]] : [];
}

/** Fields that no alias may take over. */
const ownNames: ReadonlySet<string> = new Set(filters.flatMap(fieldsOf));

/**
 * The aliases of a home; those of the filter table alone if it has no `aliases.json`.
 * @throws EngineError mapping_invalid if the file has another shape or names a filter that does not exist; file_suspicious
 */
function readAliases(home: string): Aliases {
  const own = readFile(path.join(home, fileName));
  const pairs = [
    ...filters.flatMap((row) => (row.aliases ?? []).map((alias) => [alias, row.name] as const)),
    ...Object.entries(own.filters),
  ];
  const fields = pairs.flatMap(([alias, target]) => {
    const expanded = expand(alias, target);
    if (expanded.length === 0) throw unknownTarget(alias, target);
    const taken = expanded.find(([name]) => ownNames.has(name));
    // The filter would answer for another one, and no caller could tell.
    if (taken)
      throw new EngineError('mapping_invalid', `aliases.json: "${taken[0]}" is a filter itself; choose another name`);
    return expanded;
  });
  return { fields: new Map(fields), metering: new Map(Object.entries(own.metering)) };
}

/**
 * The same; but a wrong file moves aside, and the home opens: only other names for filters are missing then.
 * @param moveAside takes the file's name and returns the folder in the home in which it lies then
 */
export function aliasesOrAside(
  home: string,
  moveAside: (name: string) => string,
): { aliases: Aliases; sentences: string[] } {
  try {
    return { aliases: readAliases(home), sentences: [] };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const folder = moveAside(fileName);
    const why = error.message.replace(/[.?]?$/, (end) => end || '.');
    const sentence = `${why} ${fileName} lies in ${folder} now, and no name of it counts; correct it there and put it back.`;
    return { aliases: readAliases(home), sentences: [sentence] };
  }
}

function unknownTarget(alias: string, target: string): EngineError {
  const near = nearNames(
    target,
    filters.flatMap((row) => [row.name, ...fieldsOf(row)]),
  );
  const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '';
  return new EngineError(
    'mapping_invalid',
    `aliases.json: "${alias}" stands for "${target}", which is not a filter${hint}`,
  );
}

type Names = Record<string, string>;

const mostBytes = 1 << 20;

function readFile(file: string): { filters: Names; metering: Names } {
  const text = readPlainText(file, mostBytes);
  if (text === null) return { filters: {}, metering: {} };
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new EngineError('mapping_invalid', `${file} is not JSON: ${(error as Error).message}`, { cause: error });
  }
  const { filters: filterNames = {}, metering = {} } = (isObject(content) ? content : { filters: null }) as {
    filters?: unknown;
    metering?: unknown;
  };
  if (!isNames(filterNames) || !isNames(metering)) {
    throw new EngineError(
      'mapping_invalid',
      `${file}: expected {"filters": {"other name": "filter"}, "metering": {"key": "other name"}}`,
    );
  }
  return { filters: filterNames, metering };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNames = (value: unknown): value is Names =>
  isObject(value) && Object.values(value).every((name) => typeof name === 'string');

/** The input under the names of the filter table. @throws EngineError validation_error if a field is given twice */
export function renameFields(input: Readonly<Record<string, unknown>>, aliases: Aliases): Record<string, unknown> {
  // No prototype: assigning a field named `__proto__` would set the prototype, and its content would pass as fields.
  const renamed = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(input)) {
    const field = aliases.fields.get(name) ?? name;
    if (Object.hasOwn(renamed, field)) {
      const message = `given twice, also as ${field === name ? 'an alias' : name}`;
      throw new EngineError('validation_error', `${field}: ${message}`, { details: { [field]: [message] } });
    }
    renamed[field] = value;
  }
  const unknown = renamed.include_unknown;
  if (Array.isArray(unknown)) {
    renamed.include_unknown = unknown.map((name) =>
      typeof name === 'string' ? (aliases.fields.get(name) ?? name) : name,
    );
  }
  return renamed;
}

/** Moves each problem to the name that the caller used for its field. */
export function underGivenNames(details: ErrorDetails, input: unknown, { fields }: Aliases): ErrorDetails {
  if (typeof input !== 'object' || input === null) return details;
  const given = new Map(
    Object.keys(input).flatMap((name) => (fields.has(name) ? [[fields.get(name), name] as const] : [])),
  );
  return Object.fromEntries(Object.entries(details).map(([field, messages]) => [given.get(field) ?? field, messages]));
}
