/**
 * Reads and parses JSON request bodies. The bytes are read first; problems with them are reported only at the input step,
 * after the checks of plan, scope and rate.
 */
import type { IncomingMessage } from 'node:http';
import { type EngineError, nonFieldErrors, validationError } from '../spec/errors.ts';
import { shown } from '../spec/validate.ts';
import { headerValues } from './raw-headers.ts';

const maximumBodyBytes = 1024 * 1024;

/** Valid bodies are flat; deeper ones would only make error messages recurse. */
const maximumDepth = 16;
/** Each unknown field costs a search for similar names. */
const maximumFields = 500;
const maximumNameLength = 200;

export interface Body {
  readonly bytes: Buffer;
  readonly state: 'whole' | 'too large' | 'cut off';
  /** The most it may have. */
  readonly limit: number;
}

/** Always reads to the end: an earlier answer would be lost when the connection closes under the sender. */
export function readBody(request: IncomingMessage, limit = maximumBodyBytes): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const settle = (state: Body['state']): void =>
      resolve({ bytes: state === 'whole' ? Buffer.concat(chunks) : Buffer.alloc(0), state, limit });
    if (request.destroyed) settle('cut off');
    request
      .on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= limit) chunks.push(chunk);
      })
      .on('end', () => settle(size > limit ? 'too large' : 'whole'))
      .on('error', () => settle('cut off'))
      .on('close', () => settle('cut off'));
  });
}

type Refuse = (message: string) => EngineError;

const problem: Refuse = (message) => validationError({ [nonFieldErrors]: [message] });

/**
 * The object in a body.
 * @param mayBeEmpty whether a missing body counts as an empty object
 * @throws EngineError validation_error
 */
export function parseJsonBody(request: IncomingMessage, body: Body, mayBeEmpty: boolean): Record<string, unknown> {
  if (body.state === 'cut off') throw problem('the body did not arrive whole');
  if (body.state === 'too large') throw problem(`expected a body of at most ${body.limit} bytes`);
  if (body.bytes.length === 0) {
    if (mayBeEmpty) return {};
    throw problem('expected a JSON object as the body, found an empty body');
  }
  refuseOtherTypes(request);
  return parseJsonObject(decodeUtf8(body.bytes), problem, 'a JSON object as the body');
}

/**
 * @param refuse makes the error of a problem
 * @param what an object is expected as
 * @throws EngineError validation_error
 */
export function parseJsonObject(text: string, refuse: Refuse, what: string): Record<string, unknown> {
  const keys = scanJson(text, refuse);
  const value = parseJson(text, refuse, what);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse(`expected ${what}, found ${shown(value)}`);
  }
  refuseDoubles(keys, refuse);
  return value as Record<string, unknown>;
}

function refuseOtherTypes(request: IncomingMessage): void {
  const types = headerValues(request, 'content-type');
  const type = types[0] ?? 'application/json';
  if (types.length > 1 || !/^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i.test(type)) {
    throw validationError({
      'Content-Type': [`expected application/json (in UTF-8), found ${shown(types.join(', '))}`],
    });
  }
  const encodings = headerValues(request, 'content-encoding').filter((value) => value.toLowerCase() !== 'identity');
  if (encodings.length > 0) {
    throw validationError({
      'Content-Encoding': [`expected a body that is not compressed, found ${shown(encodings.join(', '))}`],
    });
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw problem('expected a body in UTF-8, found other bytes');
  }
}

function parseJson(text: string, refuse: Refuse, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refuse(`expected ${what}: ${(error as Error).message}`);
  }
}

/** Index of the quote that closes the string at `start`; the text's length if none does. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x5c) index++;
    else if (code === 0x22) return index;
  }
  return text.length;
}

/**
 * One pass before JSON.parse: refuses deep nesting and lists the names of the outermost object as written, since
 * JSON.parse keeps only the last of two equal names.
 * @throws EngineError validation_error
 */
function scanJson(text: string, refuse: Refuse): string[] {
  const names: string[] = [];
  let depth = 0;
  let lastString = '';
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? '';
    depth += depthChange[character] ?? 0;
    if (depth > maximumDepth) throw refuse(`expected JSON of at most ${maximumDepth} levels, found more`);
    if (character === ':' && depth === 1) names.push(lastString);
    if (character !== '"') continue;
    const end = endOfString(text, index);
    if (depth === 1) lastString = text.slice(index, end + 1);
    index = end;
  }
  return names;
}

const depthChange: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/** @param written names as written in a text that JSON.parse accepted */
function refuseDoubles(written: readonly string[], refuse: Refuse): void {
  if (written.length > maximumFields) {
    throw refuse(`expected at most ${maximumFields} fields, found ${written.length}`);
  }
  const names = new Set<string>();
  for (const one of written) {
    const name = JSON.parse(one) as string;
    if (name.length > maximumNameLength) throw refuse(`unknown field ${shown(name)}`);
    if (names.has(name)) throw validationError({ [name]: ['given twice'] });
    names.add(name);
  }
}
