/** Invented contact records for some of the owners, and for strangers who look like them. */
import { type Owner, type Person, writeStreet } from './owners.ts';
import type { ParcelRecord } from './parcels.ts';
import type { Random } from './random.ts';
import type { SampleContact, SamplePhone } from './types.ts';
import { firstNames } from './words.ts';

interface Resident {
  readonly person: Person;
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly areaCode: string;
}

export function buildContacts(records: readonly ParcelRecord[], random: Random): SampleContact[] {
  const residents = random.shuffle(listResidents(records, random));
  const wanted = Math.round((2500 * records.length) / 6045);
  const known = residents.slice(0, Math.round(wanted * 0.94));
  const contacts = known.map((resident) => contactOf(resident, random));
  // Near misses: everything but the first name fits. A match must not take them.
  for (let i = 0; contacts.length < wanted && known.length > 0; i++) {
    const like = known[i % known.length];
    if (like) contacts.push(contactOf({ ...like, person: { ...like.person, first: random.pick(firstNames) } }, random));
  }
  return random.shuffle(contacts);
}

/** Each person once per place, at the mailing address of the first parcel. */
function listResidents(records: readonly ParcelRecord[], random: Random): Resident[] {
  const residents = new Map<string, Resident>();
  for (const { owner, properties } of records) {
    if (owner?.kind !== 'individual') continue;
    const [street, city, state, zip] = mailingColumns
      .map((name) => properties[name])
      .filter((v) => typeof v === 'string');
    if (!street || !city || !state || !zip) continue;
    for (const person of owner.people) {
      const key = `${person.last}/${person.first}/${zip.slice(0, 5)}`;
      if (residents.has(key)) continue;
      const address = writtenAgain(owner, street, random);
      const areaCode = state === owner.mailing?.state ? owner.mailing.areaCode : '603';
      residents.set(key, { person, address, city, state, zip: zip.slice(0, 5), areaCode });
    }
  }
  return [...residents.values()];
}

const mailingColumns = ['mailing_address', 'mailing_city', 'mailing_state', 'mailing_zip'] as const;

/** The owner's own address as another clerk would write it; the parcel's address (if he lives there) unchanged. */
function writtenAgain(owner: Owner, street: string, random: Random): string {
  const own = owner.mailing;
  const same = own && !own.street.startsWith('PO') && own.street.split(' ')[0] === street.split(' ')[0];
  return same ? writeStreet(own, random) : street;
}

const titleCase = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(^|[\s'-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());

function contactOf(resident: Resident, random: Random): SampleContact {
  const write = random.chance(0.7) ? titleCase : (text: string): string => text;
  return {
    first_name: write(resident.person.first),
    last_name: write(resident.person.last),
    address: write(resident.address),
    city: write(resident.city),
    state: resident.state,
    zip: resident.zip,
    phones: inventPhones(resident.areaCode, random),
  };
}

/** Only 555-0100 to 555-0199, which exchanges never assign. */
function inventPhones(areaCode: string, random: Random): SamplePhone[] {
  const count = random.weighted([
    [1, 38],
    [2, 28],
    [3, 17],
    [4, 9],
    [5, 5],
    [6, 3],
  ]);
  const numbers = new Set<number>();
  while (numbers.size < count) numbers.add(random.integer(100, 199));
  return [...numbers].map((number) => ({
    number: `${areaCode}5550${number}`,
    line_type: random.weighted([
      ['Mobile', 60],
      ['Landline', 28],
      [null, 12],
    ]),
    dnc: random.weighted([
      [true, 22],
      [false, 58],
      [null, 20],
    ]),
  }));
}
