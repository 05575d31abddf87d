/**
 * Mapping files: which column of a file goes to which column of parcels, comps or contacts. Declarative, without
 * regular expressions: a mapping may come from a stranger, and must not be able to hang an import.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { TObject } from 'typebox';
import { packageRoot } from '../../package-root.ts';
import { fileStatus } from '../../plain-file.ts';
import { EngineError, type ErrorDetails, nonFieldErrors } from '../../spec/errors.ts';
import { isTableName, maxTables } from '../../spec/table-names.ts';
import { findProblems, nearNames, shown } from '../../spec/validate.ts';
import { type MappingTarget, parcelTarget } from '../values/mapping-target.ts';
import { isoFromParts } from '../values/parse-date.ts';
import {
  type Expression,
  expressionSchema,
  joinSchema,
  type Mapping,
  type MappingJoin,
  mappingSchema,
} from './mapping-schema.ts';

export type { Expression, ExpressionObject, Mapping, MappingJoin } from './mapping-schema.ts';

const maxFileBytes = 1024 * 1024;
const maxDepth = 6;
const sources = ['from', 'constant', 'concat', 'sum', 'lines'] as const;
/** Depends on the column's own type, so allowed only at the top of a column. */
const columnOnly = ['scale', 'scaleBy', 'date', 'yes', 'no'] as const;
/** Members that need a joined table. */
const parcelOnly = ['join', 'identity', 'accounts', 'where', 'lot', 'jurisdiction'] as const;

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

class Problems {
  readonly details: ErrorDetails = Object.create(null) as ErrorDetails;
  readonly target: MappingTarget;

  constructor(target: MappingTarget) {
    this.target = target;
  }

  add(at: string, ...messages: string[]): void {
    this.details[at] = [...(this.details[at] ?? []), ...messages];
  }

  /** Adds the violations of an object's schema, under its path. */
  addFrom(schema: TObject, value: unknown, at: string): boolean {
    const found = findProblems(schema, value);
    for (const [field, messages] of Object.entries(found ?? {})) {
      const within = at === '' ? field : `${at}.${field}`;
      this.add(field === nonFieldErrors && at !== '' ? at : within, ...messages);
    }
    return found === null;
  }
}

/**
 * Checks a mapping of any origin.
 * @param name for messages
 * @throws EngineError mapping_invalid with every problem under its path (`columns.acres.scale`)
 */
export function parseMapping(given: unknown, name: string, target = parcelTarget): Mapping {
  const value = target.earlier ? target.earlier(given, name) : given;
  const problems = new Problems(target);
  problems.addFrom(mappingSchema, value, '');
  if (isObject(value)) {
    checkColumns(value.columns, problems);
    if (target.joins) checkJoins(value.join, problems);
    else refuseMembers(value, parcelOnly, problems);
    for (const member of ['identity', 'lot'] as const)
      if (value[member] !== undefined) checkExpression(value[member], member, 1, problems);
    const date = value.date;
    if (typeof date === 'string' && isoFromParts(...datePartsOf(date)) === null) {
      problems.add('date', `expected a day of the calendar, found ${shown(date)}`);
    }
  }
  refuseIfAny(problems, name);
  return value as Mapping;
}

/** The joins of a mapping that a person is making. @throws EngineError mapping_invalid */
export function parseJoins(given: readonly unknown[], name: string): readonly MappingJoin[] {
  const problems = new Problems(parcelTarget);
  checkJoins(given, problems);
  refuseIfAny(problems, name);
  return given as readonly MappingJoin[];
}

function refuseIfAny({ details }: Problems, name: string): void {
  const [first] = Object.entries(details);
  if (!first) return;
  const [at, messages] = first;
  const where = at === nonFieldErrors || at === '' ? '' : `${at}: `;
  const others = Object.keys(details).length - 1;
  const more = others > 0 ? ` (and ${others} more)` : '';
  throw new EngineError('mapping_invalid', `The mapping ${name} is not valid: ${where}${messages[0]}${more}.`, {
    details: { ...details },
  });
}

function datePartsOf(date: string): [number, number, number] {
  return [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8, 10))];
}

function checkColumns(columns: unknown, problems: Problems): void {
  if (columns === undefined) return;
  if (!isObject(columns)) {
    problems.add('columns', `expected an object, found ${shown(columns)}`);
    return;
  }
  if (Object.keys(columns).length === 0) problems.add('columns', 'expected at least one column, found none');
  const { kind, columns: known } = problems.target;
  const names = known.map((column) => column.name);
  for (const [name, expression] of Object.entries(columns)) {
    if (names.includes(name)) checkExpression(expression, `columns.${name}`, 1, problems);
    else {
      const near = nearNames(name, names);
      const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '';
      problems.add(`columns.${name}`, `no column of ${kind} that can be imported${hint}`);
    }
  }
}

function refuseMembers(value: Record<string, unknown>, members: readonly string[], problems: Problems): void {
  for (const member of members) {
    if (value[member] !== undefined) problems.add(member, `has no effect for ${problems.target.kind}`);
  }
}

function checkJoins(given: unknown, problems: Problems): void {
  if (given === undefined) return;
  const joins: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (joins.length === 0 || joins.length > maxTables) {
    problems.add('join', `expected 1 to ${maxTables} tables, found ${joins.length}`);
    return;
  }
  for (const [index, join] of joins.entries()) {
    const at = Array.isArray(given) ? `join[${index}]` : 'join';
    if (!problems.addFrom(joinSchema, join, at) || !isObject(join)) continue;
    checkExpression(join.parcel, `${at}.parcel`, 1, problems);
    checkExpression(join.table, `${at}.table`, 1, problems);
  }
}

function checkExpression(value: unknown, at: string, depth: number, problems: Problems): void {
  if (typeof value === 'string' && value !== '') {
    checkName(value, at, problems);
    return;
  }
  if (!isObject(value)) {
    problems.add(at, `expected the name of a column or an object, found ${shown(value)}`);
    return;
  }
  if (depth > maxDepth) {
    problems.add(at, `expected at most ${maxDepth} levels, found more`);
    return;
  }
  if (!problems.addFrom(expressionSchema, value, at)) return;
  const given = sources.filter((name) => value[name] !== undefined);
  if (given.length !== 1) {
    problems.add(
      at,
      `expected one of ${sources.join(', ')}, found ${given.length === 0 ? 'none' : given.join(' and ')}`,
    );
  }
  checkCompanions(value, at, depth, problems);
  if (isObject(value.scaleBy) && value.scaleBy.unit !== undefined)
    checkExpression(value.scaleBy.unit, `${at}.scaleBy.unit`, depth + 1, problems);
  for (const name of ['concat', 'sum', 'minus', 'lines'] as const)
    checkList(value[name], `${at}.${name}`, depth, problems);
  if (Array.isArray(value.from)) checkList(value.from, `${at}.from`, depth, problems);
  else if (value.from !== undefined) checkExpression(value.from, `${at}.from`, depth + 1, problems);
}

function checkName(name: string, at: string, problems: Problems): void {
  const { joins, kind } = problems.target;
  if (!joins && isTableName(name)) problems.add(at, `${kind} have no joined table; name the column alone`);
}

/** Members that need another beside them, or are in the wrong place. */
function checkCompanions(value: Record<string, unknown>, at: string, depth: number, problems: Problems): void {
  const needs = (name: string, other: string) => {
    if (value[name] !== undefined && value[other] === undefined) {
      problems.add(`${at}.${name}`, `expected ${other} beside it, found none`);
    }
  };
  needs('separator', 'concat');
  needs('minus', 'sum');
  needs('part', 'lines');
  needs('lines', 'part');
  needs('otherwise', 'map');
  const groups = value.apnGroups;
  if (isObject(groups) && (groups.size === undefined) === (groups.by === undefined)) {
    problems.add(`${at}.apnGroups`, 'expected either size or by');
  }
  if (depth === 1 && at.startsWith('columns.')) return;
  for (const name of columnOnly) {
    if (value[name] !== undefined) problems.add(`${at}.${name}`, 'expected only at the top of a column, found inside');
  }
}

function checkList(value: unknown, at: string, depth: number, problems: Problems): void {
  if (value === undefined) return;
  if (!Array.isArray(value) || value.length === 0 || value.length > 50) {
    problems.add(at, `expected a list of 1 to 50 columns or objects, found ${shown(value)}`);
    return;
  }
  value.forEach((item, index) => {
    checkExpression(item, `${at}[${index}]`, depth + 1, problems);
  });
}

const profilesFolder = ({ kind }: MappingTarget): string =>
  path.join(packageRoot, 'data', 'profiles', kind === 'parcels' ? '' : kind);

/** Names of the bundled profiles. */
export function profileNames(target = parcelTarget): string[] {
  const folder = profilesFolder(target);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/**
 * A profile by name, or a mapping by file path.
 * @throws EngineError file_missing, mapping_invalid
 */
export function loadMapping(nameOrPath: string, target = parcelTarget): Mapping {
  const profiles = profileNames(target);
  const isProfile = profiles.includes(nameOrPath);
  const filePath = isProfile ? path.join(profilesFolder(target), `${nameOrPath}.json`) : nameOrPath;
  let text: string;
  try {
    const { size } = fileStatus(filePath);
    if (size > maxFileBytes) {
      throw new EngineError('mapping_invalid', `${filePath}: expected a mapping of at most 1 MB, found ${size} bytes.`);
    }
    text = fs.readFileSync(filePath, 'utf8');
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    throw new EngineError(
      'file_missing',
      `No mapping ${nameOrPath}: it is not a profile of ${target.kind} (${profiles.join(', ') || 'none exist'}), and as a file it cannot be read (${code}).`,
      { cause: error },
    );
  }
  try {
    return parseMapping(JSON.parse(text.replace(/^\ufeff/, '')), nameOrPath, target);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new EngineError('mapping_invalid', `The mapping ${nameOrPath} is not JSON: ${why}.`, { cause: error });
  }
}

/** Whether an expression, or any within it, reads the joined table. */
export function usesTable(expression: Expression): boolean {
  if (typeof expression === 'string') return isTableName(expression);
  const { from = [], concat = [], sum = [], minus = [], lines = [] } = expression;
  return [from, concat, sum, minus, lines].flat().some((part) => usesTable(part));
}
