/** POST properties/{id}/skip-trace/: telephone numbers of the person who owns a parcel. */
import Type from 'typebox';
import type { WantedPerson } from '../contacts/match-contact.ts';
import { parseOwnerName } from '../contacts/owner-name.ts';
import type { OwnerType } from '../contacts/owner-type.ts';
import { townKey, zipKey } from '../contacts/place-key.ts';
import { andThen } from '../land/answered.ts';
import { findOwner, type TracedOwner } from '../query/traced-owner.ts';
import { noParcel, validationError } from '../spec/errors.ts';
import { strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import type { LandStore } from '../store/land-store.ts';
import { defineOperation } from './operation.ts';
import { skipTraceResultSchema, traceContact, traceTerms } from './skip-trace-owner.ts';

const ownerKinds: Readonly<Record<Exclude<OwnerType, 'individual'>, readonly [article: string, words: string]>> = {
  company: ['a', 'company'],
  trust: ['a', 'trust'],
  government: ['a', 'public body'],
  hoa: ['an', "owners' association"],
};

/** Why the owner of a parcel cannot be traced. */
class Refusal {
  /** For a cell: `trust: not traced`. */
  readonly short: string;
  /** With the parcel as its subject: `is owned by a company (…); only individual owners can be traced`. */
  readonly sentence: string;

  constructor(short: string, sentence: string) {
    this.short = `${short}: not traced`;
    this.sentence = sentence;
  }
}

const unreadable = (sentence: string): Refusal => new Refusal('no person in the name', sentence);

/** The first person of the owner name. */
function findPerson({
  owner_name: name,
  owner_type: type,
}: TracedOwner): Pick<WantedPerson, 'firstName' | 'lastName'> | Refusal {
  if (!name?.trim()) return new Refusal('no owner name', 'has no owner name on record');
  const read = parseOwnerName(name);
  // The county's own owner type overrides the look of the name.
  const kind = type !== null && type !== 'individual' ? type : read.kind;
  if (kind === 'unreadable') {
    return unreadable(`is owned by ${JSON.stringify(name)}: no first and last name of a person can be read from it`);
  }
  if (kind !== 'individual') {
    const [article, words] = ownerKinds[kind];
    return new Refusal(words, `is owned by ${article} ${words} (${name}); only individual owners can be traced`);
  }
  const person = read.kind === 'individual' ? read.persons[0] : undefined;
  if (!person) return unreadable(`is owned by ${JSON.stringify(name)}: no first and last name can be read from it`);
  const { first, middle, last, suffix } = person;
  return {
    firstName: first,
    lastName: last,
    ...(middle === undefined ? {} : { middleName: middle }),
    ...(suffix === undefined ? {} : { suffix }),
  };
}

/** Refused if the record has neither a ZIP nor city and state. */
function findPlace(row: TracedOwner): Pick<WantedPerson, 'address' | 'city' | 'state' | 'zip'> | Refusal {
  const { mailing_address: address, mailing_city: city, mailing_state: state, mailing_zip: zip } = row;
  if (zipKey(zip) === null && townKey(city, state) === null) {
    const known = [address, city, state, zip].filter((text) => text?.trim());
    const found = known.length > 0 ? `only ${JSON.stringify(known.join(', '))}` : 'no mailing address';
    const sentence = `has ${found} on record; a trace needs the mailing ZIP, or mailing city and state`;
    return new Refusal('no mailing place', sentence);
  }
  return {
    ...(address === null ? {} : { address }),
    ...(city === null ? {} : { city }),
    ...(state === null ? {} : { state }),
    ...(zip === null ? {} : { zip }),
  };
}

/** The person that a trace looks for, with the place. */
export type TracedPerson = WantedPerson;

type FoundOwner =
  | { readonly person: TracedPerson; readonly refusal: null }
  | { readonly person: null; readonly refusal: Refusal };

/** The person that a trace of the parcel looks for. @throws EngineError not_found without the parcel */
function personOfOwner(id: number, row: TracedOwner | null): FoundOwner {
  if (!row) throw noParcel(id);
  const person = findPerson(row);
  if (person instanceof Refusal) return { person: null, refusal: person };
  const place = findPlace(row);
  if (place instanceof Refusal) return { person: null, refusal: place };
  return { person: { ...person, ...place }, refusal: null };
}

/** @throws EngineError validation_error if the record names no person and place */
function requirePerson(id: number, { person, refusal }: FoundOwner): TracedPerson {
  if (person === null) throw validationError({ id: [`parcel ${id} ${refusal.sentence}`] });
  return person;
}

/** A parcel of the home. */
type HomeLand = { readonly land: LandStore };

/** The same for a parcel of the home; the app shows it before it charges. @throws EngineError not_found without the parcel */
export const findTracedOwner = (id: number, { land }: HomeLand): FoundOwner => personOfOwner(id, findOwner(land, id));

/** @throws EngineError not_found without the parcel, validation_error if its record names no person and place */
export const getTracedOwner = (id: number, home: HomeLand): TracedPerson =>
  requirePerson(id, findTracedOwner(id, home));

export const skipTracePropertyOwner = defineOperation({
  name: 'skip_trace_property_owner',
  summary: "Skip trace a parcel's owner",
  docs: 'The same as skip_trace_owner, for the owner name and mailing address of a parcel. The first of several owners is traced (`SMITH JOHN & MARY`: John Smith). The answer is 400, with what was found, if the owner is a company, trust, public body or association, if the name does not name a person, or if the record has neither a mailing ZIP nor city and state. No request body.',
  http: { method: 'POST', path: 'properties/{id}/skip-trace/', status: 200 },
  ...traceTerms,
  input: Type.Object(
    { id: wholeNumberSchema(1, Number.MAX_SAFE_INTEGER, { description: 'The property_id.' }) },
    strict,
  ),
  output: skipTraceResultSchema,
  run: ({ id }, { land, people }) =>
    andThen(land.owner(id), (owner) => traceContact(people, requirePerson(id, personOfOwner(id, owner)))),
  examples: [
    { title: 'The owner of a parcel', input: { id: 2 } },
    { title: 'An owner who is in no contact list: not matched, and free', input: { id: 8 } },
  ],
});
