/** The file of a walk: on this computer, or sent along by a browser, which hides its path. */
import fs from 'node:fs';
import path from 'node:path';
import Type from 'typebox';
import type { Engine } from '../engine.ts';
import { readWalk } from '../importing/walks/read-walk.ts';
import type { Walk } from '../importing/walks/walk.ts';
import { validationError } from '../spec/errors.ts';
import { mostWalkBytes } from '../spec/field-limits.ts';
import { strict, textSchema, type ValueOf } from '../spec/value-schemas.ts';
import { freePlace } from './made-file.ts';

export const walkFileSchema = Type.Object(
  {
    path: Type.Optional(Type.String({ minLength: 1, maxLength: 4096, description: 'Of a file on this computer.' })),
    bytes: Type.Optional(
      Type.String({
        'x-expected': `a file of at most ${mostWalkBytes / 2 ** 20} MB, in Base64`,
        maxLength: Math.ceil(mostWalkBytes / 3) * 4,
        description: 'Or the file in Base64, with `name`.',
      }),
    ),
    name: Type.Optional(textSchema()),
  },
  strict,
);

export type WalkFile = ValueOf<typeof walkFileSchema>;

/** @throws EngineError validation_error, import_refused, file_missing */
export async function walkOf(
  engine: Pick<Engine, 'home' | 'now'>,
  { path: file, bytes, name: given }: WalkFile,
): Promise<{ readonly name: string; readonly walk: Walk }> {
  if ((file === undefined) === (bytes === undefined) || (bytes !== undefined && given === undefined))
    throw validationError({ files: ['expected either path, or bytes with name'] });
  if (file !== undefined) {
    if (!path.isAbsolute(file))
      throw validationError({ files: ['expected the whole path of a file on this computer'] });
    return { name: path.basename(file), walk: readWalk(file, path.basename(file)) };
  }
  const name = path.basename(given as string);
  const { target } = await freePlace(engine, 'walk');
  try {
    fs.writeFileSync(target, Buffer.from(bytes as string, 'base64'), { mode: 0o600 });
    return { name, walk: readWalk(target, name) };
  } finally {
    fs.rmSync(target, { force: true });
  }
}
