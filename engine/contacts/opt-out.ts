/**
 * The opt-out list: persons who were deleted, and their telephone numbers, so that no later list brings them back. It must
 * know a person again without naming one. A number is kept as a hash; a person as name and place, sealed with a key that
 * follows from the last name and the ZIP (or town): who does not know these cannot read it, and no text of it is in the file.
 * Who has the file can still test a guess, and ten-digit numbers can all be tried.
 */
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { lastNameKey } from './fold-name.ts';
import { isSamePerson, type NamedPlace } from './match-contact.ts';
import { townKey, zipKey } from './place-key.ts';

interface OptOutRow {
  readonly kind: 'person' | 'phone';
  /** Random bytes of the home. */
  readonly salt: Uint8Array;
  readonly key: Uint8Array;
  /** A person's; empty for a number. */
  readonly sealed: Uint8Array;
}

/** Bytes of a salt. */
export const saltBytes = 32;

const ivBytes = 12;
const tagBytes = 16;

const hash = (salt: Uint8Array, use: string, text: string | Uint8Array): Buffer =>
  createHmac('sha256', salt).update(`${use}|`).update(text).digest();

/** The last name with each place that a person can be found at: ZIP, town, or both. */
function namePlaces({ lastName, zip, city, state }: NamedPlace): string[] {
  const places = [zipKey(zip), townKey(city, state)];
  return places.filter((place) => place !== null).map((place) => `${lastNameKey(lastName)}|${place}`);
}

/** The same bytes each time, so that no person is on the list twice. */
function seal(salt: Uint8Array, namePlace: string, text: string): Buffer {
  const iv = hash(salt, 'iv', text).subarray(0, ivBytes);
  const cipher = createCipheriv('aes-256-gcm', hash(salt, 'seal', namePlace), iv);
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

function unseal(salt: Uint8Array, namePlace: string, sealed: Uint8Array): NamedPlace | null {
  const end = sealed.length - tagBytes;
  try {
    const decipher = createDecipheriv('aes-256-gcm', hash(salt, 'seal', namePlace), sealed.subarray(0, ivBytes));
    decipher.setAuthTag(sealed.subarray(end));
    const text = Buffer.concat([decipher.update(sealed.subarray(ivBytes, end)), decipher.final()]);
    return JSON.parse(text.toString('utf8')) as NamedPlace;
  } catch {
    // Damaged, or written by another hand: it names no one.
    return null;
  }
}

/** What the list keeps of a person; nothing where no place is known. */
export function personRows(salt: Uint8Array, person: NamedPlace): OptOutRow[] {
  const { firstName, middleName, lastName, suffix, city, state, zip } = person;
  const text = JSON.stringify({ firstName, middleName, lastName, suffix, city, state, zip });
  return namePlaces(person).map((namePlace) => ({
    kind: 'person',
    salt,
    key: hash(salt, 'person', namePlace),
    sealed: seal(salt, namePlace, text),
  }));
}

/** @param number ten digits */
export const phoneRow = (salt: Uint8Array, number: string): OptOutRow => ({
  kind: 'phone',
  salt,
  key: hash(salt, 'phone', number),
  sealed: new Uint8Array(),
});

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The list, to be asked of many persons. */
export class OptOuts {
  readonly #rows = new Map<string, OptOutRow[]>();
  readonly #salts: readonly Uint8Array[];

  constructor(rows: readonly OptOutRow[]) {
    for (const row of rows) this.#rows.set(hex(row.key), [...(this.#rows.get(hex(row.key)) ?? []), row]);
    this.#salts = [...new Map(rows.map(({ salt }) => [hex(salt), salt])).values()];
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  /** Whether a trace for this person would have found one who is on the list. */
  hasPerson(person: NamedPlace): boolean {
    return this.personRows(person).length > 0;
  }

  /** The rows that keep this person away. */
  personRows(person: NamedPlace): OptOutRow[] {
    if (this.isEmpty) return [];
    return namePlaces(person).flatMap((namePlace) =>
      this.#salts.flatMap((salt) =>
        (this.#rows.get(hex(hash(salt, 'person', namePlace))) ?? []).filter(({ sealed }) => {
          const known = unseal(salt, namePlace, sealed);
          return known !== null && isSamePerson(known, person);
        }),
      ),
    );
  }

  /** @param number ten digits */
  hasPhone(number: string): boolean {
    return this.#salts.some((salt) => this.#rows.has(hex(hash(salt, 'phone', number))));
  }
}
