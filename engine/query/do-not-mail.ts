/**
 * Owners who must not get letters: by mailing address, by owner name, or both. Either suffices to hold back a letter.
 */
import { foldSpaces } from '../spec/text-fold.ts';
import type { AccountStore } from '../store/account-store.ts';
import type { LandStore } from '../store/land-store.ts';

export interface DoNotMail {
  readonly mailingKeys: ReadonlySet<string>;
  /** Made by `ownerKey`. */
  readonly ownerKeys: ReadonlySet<string>;
}

/** One key for spellings of an owner's name that differ only in case and spaces; null for none. */
export const ownerKey = (name: string | null | undefined): string | null => foldSpaces(name ?? '') || null;

export function readDoNotMail({ file }: AccountStore): DoNotMail {
  const keys = (column: 'mailing_key' | 'owner_key') =>
    new Set(file.column<string>(`SELECT ${column} FROM do_not_mail WHERE ${column} IS NOT NULL`));
  return { mailingKeys: keys('mailing_key'), ownerKeys: keys('owner_key') };
}

/** Whether the owner of a parcel must not get a letter; a second owner at the same address counts. */
export function isDoNotMail(
  { mailingKeys, ownerKeys }: DoNotMail,
  parcel: {
    readonly mailing_key: string | null;
    readonly owner_name: string | null;
    readonly owner_name_2?: string | null;
  },
): boolean {
  if (parcel.mailing_key !== null && mailingKeys.has(parcel.mailing_key)) return true;
  return [parcel.owner_name, parcel.owner_name_2].some((name) => {
    const key = ownerKey(name);
    return key !== null && ownerKeys.has(key);
  });
}

/** Parcels whose owners must not get letters. */
export function keptBackIds(
  { land, account }: { readonly land: LandStore; readonly account: AccountStore },
  ids: readonly number[],
): Set<number> {
  const doNotMail = readDoNotMail(account);
  if (doNotMail.mailingKeys.size + doNotMail.ownerKeys.size === 0) return new Set();
  const rows = land.file.iterate<{
    property_id: number;
    mailing_key: string | null;
    owner_name: string | null;
    owner_name_2: string | null;
  }>(
    'SELECT property_id, mailing_key, owner_name, owner_name_2 FROM parcels WHERE property_id IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids),
  );
  const kept = new Set<number>();
  for (const row of rows) if (isDoNotMail(doNotMail, row)) kept.add(row.property_id);
  return kept;
}
