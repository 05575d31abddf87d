/** The person to delete or to admit again: by name and place, or everyone with a number. */
import type { WantedPerson } from '../contacts/match-contact.ts';
import { parsePhoneNumber } from '../contacts/phone-number.ts';
import { townKey, zipKey } from '../contacts/place-key.ts';
import { validationError } from '../spec/errors.ts';

/** As a caller gives it: exactly one of the two. */
export interface UnwantedContact {
  /** As in a trace: the place is a ZIP, or city and state. */
  readonly person?: WantedPerson | undefined;
  /** In any notation. */
  readonly phone?: string | undefined;
}

/** Checked; a number has ten digits. */
export type Unwanted =
  | { readonly person: WantedPerson; readonly phone: null }
  | { readonly person: null; readonly phone: string };

/** @throws EngineError validation_error */
export function requireUnwanted({ person, phone }: UnwantedContact): Unwanted {
  if ((person === undefined) === (phone === undefined))
    throw validationError({ person: ['expected a person with a place, or a phone; found both or neither'] });
  if (phone !== undefined) {
    const reading = parsePhoneNumber(phone);
    if ('number' in reading) return { person: null, phone: reading.number };
    throw validationError({ phone: [`${JSON.stringify(phone)} ${reading.refused}`] });
  }
  const wanted = person as WantedPerson;
  const empty = (['firstName', 'lastName'] as const).filter((field) => !/\p{L}/u.test(wanted[field]));
  if (empty.length > 0) throw validationError(Object.fromEntries(empty.map((field) => [field, ['expected a name']])));
  if (zipKey(wanted.zip) === null && townKey(wanted.city, wanted.state) === null)
    throw validationError({ zip: ['expected a ZIP, or city and state; found neither'] });
  return { person: wanted, phone: null };
}
