/** A file that is made to be fetched from the shelf (`exporting/export-shelf.ts`). */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import Type from 'typebox';
import type { Engine } from '../engine.ts';
import { clearShelf, shelfPlace } from '../exporting/export-shelf.ts';
import { count, strict } from '../spec/value-schemas.ts';
import { tellLocal } from './tell-local.ts';

export const madeFileSchema = Type.Object(
  { id: Type.String({ description: 'For `GET /app/download/<id>`.' }), name: Type.String(), bytes: count() },
  strict,
);

/**
 * Puts a new file on the shelf.
 * @param write writes the file at this path
 * @returns the file, and the notes of `write`
 * @throws EngineError what `write` throws; validation_error for a full disk and the like
 */
export async function shelve<Told>(
  { home, now }: Pick<Engine, 'home' | 'now'>,
  name: string,
  write: (target: string) => Promise<Told>,
) {
  return tellLocal(async () => {
    const { id, target } = await freePlace({ home, now }, name);
    const told = await write(target);
    return { made: { id, name, bytes: fs.statSync(target).size }, told };
  });
}

/** A folder of its own for a file that is still to be written. */
export async function freePlace({ home, now }: Pick<Engine, 'home' | 'now'>, name: string) {
  clearShelf(home, now());
  const id = randomBytes(16).toString('hex');
  return { id, target: await shelfPlace(home, id, name) };
}
