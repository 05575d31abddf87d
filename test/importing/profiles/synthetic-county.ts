/** Parcels of a county that does not exist, with everything that counties publish; every name and number is invented. */

export interface SyntheticParcel {
  readonly acres: number;
  readonly fields: Readonly<Record<string, string | number | null>>;
}

/** mulberry32: the same parcels on every machine. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const surnames = 'QUILLBY THORNWICK MARSTELL OAKHAM VENDRY PELLWORTH GRINDAL TOWSEND BRACKLIN FENMOOR'.split(' ');
const givenNames = 'ADA BORIS CLARA DELMAR EDNA FLOYD GRETA HOMER INEZ JASPER'.split(' ');
const companies = ['BROOKLINE HOLDINGS LLC', 'SUMMIT TIMBER INC', 'GREEN HOLLOW TRUST', 'COUNTY OF ALDER'];
const streets = ['MILL', 'QUARRY', 'FOX HOLLOW', 'OLD FORGE', 'SPRUCE', 'RIVER BEND'];
const streetTypes = ['RD', 'ST', 'LN', 'DR'];
const towns = ['ALDERTON', 'BRIARVILLE', 'CEDAR FALLS', 'DUNMORE'];
const farTowns: readonly (readonly [string, string, string])[] = [
  ['BOSTON', 'MA', '02108'],
  ['ALBANY', 'NY', '12207'],
  ['TAMPA', 'FL', '33602'],
];
const uses: readonly (readonly [string, string])[] = [
  ['1010', 'SINGLE FAMILY'],
  ['1300', 'VACANT RESIDENTIAL'],
  ['6100', 'TIMBER LAND'],
  ['3220', 'RETAIL STORE'],
];
const deeds = ['WD', 'QC', 'SW'];

const iso = (year: number, month: number, day: number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

export interface CountyChoice {
  /** Two letters. */
  readonly state: string;
  /** One of the county's; its first three digits count. */
  readonly zip: string;
}

type Fields = Record<string, string | number | null>;

/** Draws one after the other; all of a parcel come from here. */
class Draws {
  readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.random() * items.length)] as Item;
  }

  whole(from: number, to: number): number {
    return from + Math.floor(this.random() * (to - from + 1));
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  /** The value, or nothing in all but `share` of cases. */
  some<Value>(share: number, value: () => Value): Value | null {
    return this.chance(share) ? value() : null;
  }
}

function numberFields(draws: Draws, index: number): Fields {
  const group = String(draws.whole(1, 40)).padStart(3, '0');
  return {
    pin: `${group}-${String(index + 1).padStart(4, '0')}-${String(draws.whole(0, 3)).padStart(2, '0')}`,
    pinDigits: `${group}${String(index + 1).padStart(6, '0')}`,
    account: `R${String(100_000 + index * 7)}`,
    oldPin: `${draws.whole(1, 30)}-${draws.whole(1, 300)}-${index}`,
    map: group,
    block: String(draws.whole(1, 9)),
    lot: String(index + 1),
    rowNumber: index + 1,
    guid: `{${String(draws.whole(10_000_000, 99_999_999))}-0000-4000-8000-${String(100_000_000_000 + index)}}`,
  };
}

function ownerFields(draws: Draws, { state, zip }: CountyChoice): Fields {
  const [last, first] = [draws.pick(surnames), draws.pick(givenNames)];
  const company = draws.some(0.15, () => draws.pick(companies));
  const far = draws.some(0.25, () => draws.pick(farTowns));
  const [city, mailState, mailZip] = far ?? [draws.pick(towns), state, `${zip.slice(0, 3)}${draws.whole(10, 19)}`];
  const street = draws.chance(0.2)
    ? `PO BOX ${draws.whole(1, 999)}`
    : `${draws.whole(1, 900)} ${draws.pick(streets)} ${draws.pick(streetTypes)}`;
  return {
    owner: company ?? `${last} ${first}`,
    ownerSecond: company === null ? draws.some(0.4, () => `${last} ${draws.pick(givenNames)}`) : null,
    ownerLast: company ?? last,
    ownerFirst: company === null ? first : null,
    careOf: draws.some(0.05, () => 'C/O TAX OFFICE'),
    phone: `555-01${draws.whole(10, 99)}`,
    occupied: far === null ? 'Y' : 'N',
    homestead: draws.chance(0.4) ? 'Y' : 'N',
    mailStreet: street,
    mailSecond: draws.some(0.15, () => `APT ${draws.whole(1, 30)}`),
    mailCity: city,
    mailState,
    mailZip,
    mailZip4: draws.some(0.6, () => String(draws.whole(1000, 9999))),
    mailCityStateZip: `${city}, ${mailState} ${mailZip}`,
    mailCityStateZipPlain: `${city} ${mailState} ${mailZip}`,
    mailWhole: `${street}, ${city}, ${mailState} ${mailZip}`,
  };
}

function placeFields(draws: Draws, { state, zip }: CountyChoice): Fields {
  const house = draws.whole(1, 2400);
  const [street, type] = [draws.pick(streets), draws.pick(streetTypes)];
  const direction = draws.some(0.3, () => draws.pick(['N', 'S', 'E', 'W']));
  const situs = [house, direction, street, type].filter((part) => part !== null).join(' ');
  const city = draws.pick(towns);
  const situsZip = `${zip.slice(0, 3)}${10 + towns.indexOf(city)}`;
  return {
    house,
    direction,
    street,
    streetType: type,
    streetWithType: `${street} ${type}`,
    situs,
    situsCity: city,
    situsState: state,
    situsZip,
    situsWhole: `${situs}, ${city}, ${state} ${situsZip}`,
    neighborhood: String(draws.whole(100, 130)),
    township: `0${draws.whole(1, 9)}N`,
    range: `0${draws.whole(1, 9)}W`,
    section: String(draws.whole(1, 36)),
    taxDistrict: String(draws.whole(1, 12)),
    school: draws.pick(['ALDER UNIFIED', 'CEDAR CENTRAL']),
    countyName: 'ALDER',
    censusTract: String(draws.whole(950_000, 950_900)),
    latitude: 44 + draws.random() / 10,
    longitude: -71 - draws.random() / 10,
    flood: draws.chance(0.1) ? 'AE' : 'X',
  };
}

function landFields(draws: Draws, index: number, acres: number): Fields {
  return {
    acresRecorded: Math.round(acres * (0.99 + draws.random() * 0.02) * 100) / 100,
    lotSquareFeet: Math.round(acres * 43_560),
    shapeAcres: acres,
    shapeArea: acres * 43_560,
    shapeLength: Math.sqrt(acres * 43_560) * 4,
    legal: `LOT ${index + 1} BLK ${draws.whole(1, 9)} PLAN ${draws.whole(1, 99)}`,
    legalSecond: draws.some(0.3, () => `EXC RIGHT OF WAY ${draws.whole(1, 99)}`),
    subdivision: draws.some(0.7, () => `${draws.pick(streets)} ESTATES`),
    zoning: draws.pick(['R-1', 'R-2', 'AG', 'C-1']),
    editDate: iso(2024, draws.whole(1, 12), draws.whole(1, 28)),
    editor: draws.pick(['JQ', 'MTH']),
  };
}

function valueFields(draws: Draws, isBuilt: boolean): Fields {
  const land = draws.whole(40, 3000) * 100;
  const built = isBuilt ? draws.whole(300, 6000) * 100 : 0;
  const [assessedLand, assessedBuilt] = [Math.round(land * 0.4), Math.round(built * 0.4)];
  return {
    marketLand: land,
    marketBuilt: built,
    marketTotal: land + built,
    assessedLand,
    assessedBuilt,
    assessedTotal: assessedLand + assessedBuilt,
    taxable: Math.max(assessedLand + assessedBuilt - 20_000, 0),
    exempt: draws.chance(0.3) ? 20_000 : 0,
    tax: Math.round((land + built) * 0.011 * 100) / 100,
    taxYear: 2025,
    valueYear: 2024,
  };
}

function buildingFields(draws: Draws, isBuilt: boolean): Fields {
  const use = isBuilt ? uses[0] : draws.pick(uses);
  const known = (from: number, to: number) => (isBuilt ? draws.whole(from, to) : 0);
  return {
    useCode: use?.[0] ?? '',
    useWords: use?.[1] ?? '',
    classCode: isBuilt ? 'R' : 'V',
    classWords: isBuilt ? 'Residential' : 'Vacant Land',
    yearBuilt: known(1890, 2023),
    effectiveYear: known(1970, 2023),
    buildingSquareFeet: known(700, 4200),
    buildings: known(1, 3),
    bedrooms: known(1, 5),
  };
}

/** Everything of the last sale is empty where there was none. */
function saleFields(draws: Draws, owner: string): Fields {
  const isSold = draws.chance(0.7);
  const sold = <Value>(value: () => Value): Value | null => (isSold ? value() : null);
  const [year, month, day] = [draws.whole(1985, 2025), draws.whole(1, 12), draws.whole(1, 28)];
  const digits = iso(year, month, day).replaceAll('-', '');
  const before = isSold && draws.chance(0.5);
  return {
    saleDate: sold(() => iso(year, month, day)),
    saleDateSlashed: sold(() => `${month}/${day}/${year}`),
    saleDateDigits: isSold ? digits : '0',
    saleDateReversed: sold(() => `${digits.slice(4)}${year}`),
    saleDateEpoch: sold(() => Date.UTC(year, month - 1, day)),
    salePrice: sold(() => (draws.chance(0.25) ? 1 : draws.whole(20, 900) * 1000)) ?? 0,
    saleCode: sold(() => draws.pick(['Q', 'U'])),
    deedType: sold(() => draws.pick(deeds)),
    deedBook: draws.whole(100, 2400),
    deedPage: draws.whole(1, 990),
    grantor: sold(() => `${draws.pick(surnames)} ${draws.pick(givenNames)}`),
    grantee: sold(() => owner),
    priorDate: before ? iso(year - draws.whole(1, 20), month, day) : null,
    priorPrice: before ? draws.whole(20, 400) * 1000 : null,
  };
}

export function syntheticParcels(count: number, seed: number, county: CountyChoice): SyntheticParcel[] {
  const draws = new Draws(seeded(seed));
  return Array.from({ length: count }, (_, index): SyntheticParcel => {
    const acres = Math.round((0.1 + draws.random() ** 3 * 200) * 1000) / 1000;
    const isBuilt = draws.chance(0.6);
    const owner = ownerFields(draws, county);
    return {
      acres,
      fields: {
        ...numberFields(draws, index),
        ...owner,
        ...placeFields(draws, county),
        ...landFields(draws, index, acres),
        ...valueFields(draws, isBuilt),
        ...buildingFields(draws, isBuilt),
        ...saleFields(draws, String(owner.owner)),
      },
    };
  });
}
