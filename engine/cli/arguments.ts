/** Arguments shared by several commands. */
import path from 'node:path';
import { EngineError } from '../spec/errors.ts';
import { normalFips } from '../spec/value-schemas.ts';

/** `8023` → `08023`. @throws EngineError usage */
export function parseFips(text: string): string {
  if (!/^\d{4,5}$/.test(text))
    throw new EngineError('usage', `expected a county FIPS code of 4 or 5 digits, found ${JSON.stringify(text)}`);
  return normalFips(text);
}

/** `33019,33013` @throws EngineError usage */
export const countiesOf = (text: string): string[] => text.split(',').map((fips) => parseFips(fips.trim()));

/** Quoted for a shell. */
export const quoted = (text: string): string =>
  /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A name for a file's saved mapping, ready to type. */
export const suggestedName = (file: string): string =>
  path
    .basename(file)
    .replace(/\..*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_') || 'mine';

/** The input of an operation or change; `{}` without one. @throws EngineError usage */
export function parseJson(json: string | undefined): unknown {
  try {
    return json === undefined ? {} : JSON.parse(json);
  } catch (error) {
    throw new EngineError('usage', `the input is not JSON: ${(error as Error).message}`);
  }
}

/** The number of a dataset, import or feed. @throws EngineError usage */
export function parseRowNumber(text: string, what: string): number {
  const number = Number(text);
  if (/^\d{1,15}$/.test(text) && number > 0) return number;
  throw new EngineError(
    'usage',
    `Expected the number of ${what === 'import' ? 'an' : 'a'} ${what}, found ${JSON.stringify(text)}.`,
  );
}
