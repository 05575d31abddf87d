/** Owners of record in an assessor's spelling, with their mailing addresses. */
import type { Shape } from './land.ts';
import { type Settlement, settlements } from './layout.ts';
import { countryRoads, townStreets } from './names-of-roads.ts';
import { at } from './plane.ts';
import type { Random } from './random.ts';
import { type LandUse, uses } from './uses.ts';
import { farCities, farStreets, firmEndings, firmStems, firstNames, surnames } from './words.ts';

export interface Person {
  readonly first: string;
  readonly last: string;
}

export interface Mailing {
  readonly street: string;
  /** Number of a flat or suite, written in one of several ways. */
  readonly unit: string | null;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly areaCode: string;
}

export interface Owner {
  readonly kind: 'individual' | 'company' | 'trust' | 'government' | 'hoa' | 'estate';
  readonly people: readonly Person[];
  readonly name: string;
  readonly name2: string | null;
  readonly mailing: Mailing | null;
}

const localAreaCode = '603';

export const localMailing = (street: string, s: Settlement, unit: string | null = null): Mailing => ({
  street: street.toUpperCase(),
  unit,
  city: s.name.toUpperCase(),
  state: 'ZZ',
  zip: s.zip,
  areaCode: localAreaCode,
});

/** About six in ten bills stay in the county. */
function inventMailing(random: Random): Mailing | null {
  if (random.chance(0.03)) return null;
  const unit = random.chance(0.09) ? String(random.integer(1, 48)) : null;
  if (!random.chance(0.46)) {
    const [city, state, zip, areaCode] = random.pick(farCities);
    return { street: `${random.integer(3, 4800)} ${random.pick(farStreets)}`, unit, city, state, zip, areaCode };
  }
  const settlement = random.weighted(settlements.map((s) => [s, s.reach] as const));
  if (random.chance(0.25)) return localMailing(`PO BOX ${random.integer(1, 980)}`, settlement);
  const street = random.chance(0.6) ? random.pick(townStreets) : random.pick(countryRoads);
  return localMailing(`${random.integer(1, 640)} ${street}`, settlement, unit);
}

const inventPerson = (random: Random): Person => ({
  first: random.pick(firstNames),
  last: random.pick(surnames),
});

export const personName = (person: Person): string => `${person.last} ${person.first}`;

function inventIndividual(random: Random, mailing: Mailing | null): Owner {
  const first = inventPerson(random);
  const owner = { kind: 'individual', mailing } as const;
  const style = random.next();
  if (style < 0.36) return { ...owner, people: [first], name: personName(first), name2: null };
  if (style < 0.5) {
    const initial = String.fromCharCode(65 + random.integer(0, 22));
    const suffix = random.chance(0.12) ? ' JR' : '';
    return { ...owner, people: [first], name: `${personName(first)} ${initial}${suffix}`, name2: null };
  }
  if (style < 0.86) {
    const spouse = { first: random.pick(firstNames), last: first.last };
    const apart = random.chance(0.3);
    const name = apart ? personName(first) : `${personName(first)} & ${spouse.first}`;
    return { ...owner, people: [first, spouse], name, name2: apart ? personName(spouse) : null };
  }
  const second = inventPerson(random);
  return { ...owner, people: [first, second], name: personName(first), name2: personName(second) };
}

function inventTrust(random: Random, mailing: Mailing | null): Owner {
  const { first, last } = inventPerson(random);
  const name = random.weighted([
    [`${last}, ${first} TRUSTEE`, 4],
    [`${last} FAMILY TRUST`, 4],
    [`${last} ${first} REVOCABLE TRUST`, 3],
    [`${last} LIVING TRUST`, 2],
    [`LAND TRUST NO ${random.integer(104, 998)}`, 1],
    [`${last} REALTY TRUST`, 2],
  ]);
  const trustee = name.includes('TRUSTEE') ? null : `${last} ${first} TRUSTEE`;
  return { kind: 'trust', people: [], name, name2: random.chance(0.6) ? trustee : null, mailing };
}

function inventEstate(random: Random, mailing: Mailing | null): Owner {
  const { first, last } = inventPerson(random);
  const name = random.weighted([
    [`${last} ${first} ESTATE OF`, 4],
    [`ESTATE OF ${first} ${last}`, 3],
    [`${last} ${first} HEIRS OF`, 2],
  ]);
  return { kind: 'estate', people: [], name, name2: null, mailing };
}

function inventCompany(random: Random, mailing: Mailing | null): Owner {
  const name = `${random.pick(firmStems)} ${random.pick(firmEndings)}`;
  return { kind: 'company', people: [], name, name2: random.chance(0.06) ? 'C/O REGISTERED AGENT' : null, mailing };
}

export function government(name: string, s: Settlement): Owner {
  return { kind: 'government', people: [], name, name2: null, mailing: localMailing('1 COMMON STREET', s) };
}

function inventOwner(random: Random, mix: readonly (readonly [Owner['kind'], number])[]): Owner {
  const kind = random.weighted(mix);
  const mailing = inventMailing(random);
  if (kind === 'trust') return inventTrust(random, mailing);
  if (kind === 'estate') return inventEstate(random, mailing);
  if (kind === 'company') return inventCompany(random, mailing);
  return inventIndividual(random, mailing);
}

const homes = [
  ['individual', 88],
  ['trust', 8],
  ['company', 2.2],
  ['estate', 1.8],
] as const;
const businesses = [
  ['company', 68],
  ['individual', 20],
  ['trust', 12],
] as const;
const openLand = [
  ['individual', 68],
  ['trust', 14],
  ['company', 13],
  ['estate', 5],
] as const;
const timberland = [
  ['company', 66],
  ['trust', 16],
  ['individual', 18],
] as const;

function mixFor(use: LandUse): readonly (readonly [Owner['kind'], number])[] {
  if (use === uses.timber) return timberland;
  if (use.class === 'C' || use.class === 'I' || use === uses.apartments) return businesses;
  return use.improved ? homes : openLand;
}

function publicOwner(shape: Shape, use: LandUse, random: Random): Owner | null {
  const { settlement } = shape;
  const town = `TOWN OF ${settlement.name.toUpperCase()}`;
  if (use === uses.school) return government(`${settlement.name.toUpperCase()} SCHOOL DISTRICT`, settlement);
  if (use === uses.forest) return government(random.chance(0.6) ? 'STATE OF ZZ' : town, at(settlements, 0));
  if (use === uses.municipal || use === uses.cemetery)
    return government(random.chance(0.8) ? town : 'ALDER COUNTY', settlement);
  if (use === uses.church) {
    return {
      ...government(
        `${random.pick(['FIRST', 'SECOND', 'UNITED'])} CHURCH OF ${settlement.name.toUpperCase()}`,
        settlement,
      ),
      kind: 'company',
    };
  }
  // Lots that the town took for taxes.
  return !use.improved && random.chance(0.012) ? government(town, settlement) : null;
}

/** Assigns owners: some own many parcels, most own one. */
export class OwnerBook {
  readonly #holders: readonly (readonly [Owner, number])[];
  readonly #random: Random;
  #last: { block: number; owner: Owner } | null = null;

  constructor(total: number, random: Random) {
    this.#random = random;
    const count = Math.max(12, Math.round(total / 26));
    this.#holders = Array.from({ length: count }, (_, i) => {
      const owner = inventOwner(random, [
        ['individual', 52],
        ['company', 26],
        ['trust', 18],
        ['estate', 4],
      ]);
      return [
        owner.mailing ? owner : { ...owner, mailing: localMailing(`PO BOX ${1000 + i}`, at(settlements, 0)) },
        1 / (3 + i) ** 0.75,
      ] as const;
    });
  }

  ownerOf(shape: Shape, use: LandUse, subdivision: string | null): Owner {
    const random = this.#random;
    const owner =
      publicOwner(shape, use, random) ?? this.#association(shape, use, subdivision) ?? this.#private(shape, use);
    this.#last = { block: shape.block, owner };
    return owner;
  }

  /** Greens and ponds of a subdivision. */
  #association(shape: Shape, use: LandUse, subdivision: string | null): Owner | null {
    if (!subdivision || use.improved || !this.#random.chance(0.09)) return null;
    const name = `${subdivision} HOMEOWNERS ASSOCIATION INC`;
    return {
      kind: 'hoa',
      people: [],
      name,
      name2: null,
      mailing: localMailing(`PO BOX ${200 + subdivision.length}`, shape.settlement),
    };
  }

  #private(shape: Shape, use: LandUse): Owner {
    const random = this.#random;
    const last = this.#last;
    const neighbour = last && last.block === shape.block && !use.improved && last.owner.kind !== 'government';
    if (neighbour && random.chance(0.1)) return last.owner;
    if (random.chance(use.improved ? 0.05 : 0.24)) return random.weighted(this.#holders);
    return inventOwner(random, mixFor(use));
  }
}

const shortForms: readonly (readonly [RegExp, string])[] = [
  [/ STREET$/, ' ST'],
  [/ ROAD$/, ' RD'],
  [/ AVENUE$/, ' AVE'],
  [/ LANE$/, ' LN'],
  [/ DRIVE$/, ' DR'],
  [/ COURT$/, ' CT'],
  [/ CIRCLE$/, ' CIR'],
  [/ BOULEVARD$/, ' BLVD'],
  [/ TERRACE$/, ' TER'],
  [/ PLACE$/, ' PL'],
];

const directions: Record<string, string> = { N: 'NORTH', S: 'SOUTH', E: 'EAST', W: 'WEST' };

/** One address in the spellings of different clerks: a portfolio search must unify them. */
export function writeStreet(mailing: Mailing, random: Random): string {
  let street = mailing.street;
  if (random.chance(0.5)) for (const [long, short] of shortForms) street = street.replace(long, short);
  if (random.chance(0.4)) street = street.replace(/ ([NSEW]) /, (_, d: string) => ` ${directions[d] ?? d} `);
  if (random.chance(0.2)) street = street.replace(/^PO BOX/, 'P.O. BOX');
  if (!mailing.unit) return street;
  return `${street} ${random.pick(['APT ', 'UNIT ', '#', 'APT. ', 'STE '])}${mailing.unit}`;
}
