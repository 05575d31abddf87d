/** Whose parcels belong together: the owner's name without tenancies and accents. */
import { foldAccents } from './fold-name.ts';
import { plainName } from './owner-name-words.ts';
import { ownerType } from './owner-type.ts';

/** @param owner without care-of. @returns null for an unknown owner */
export const ownerKey = (owner: string): string | null =>
  ownerType(owner) === null
    ? null
    : foldAccents(plainName(owner).text)
        .replace(/[^A-Z0-9&]+/g, ' ')
        .trim() || null;
