/** Guesses a contact list's columns from its headings. Vendors use many names for the same thing. */

import { foldAccents } from '../../contacts/fold-name.ts';
import type { LineType } from '../../contacts/match-contact.ts';
import type { NameOrder } from '../../contacts/owner-name.ts';
import type { Expression } from '../mapping/mapping-schema.ts';
import { phoneColumns } from '../values/contact-fields.ts';

/** Maps a column of a contact to its source. */
export type ContactGuesses = Readonly<Record<string, Expression>>;

type SingleRole =
  | 'first_name'
  | 'middle_name'
  | 'last_name'
  | 'suffix'
  | 'full_name'
  | 'address'
  | 'address_2'
  | 'city'
  | 'state'
  | 'zip'
  | 'city_state_zip';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const joinedWords: readonly (readonly [RegExp, string])[] = [
  [/DO[\s_-]*NOT[\s_-]*CALL/g, ' DNC '],
  [/LAND[\s_-]*LINE/g, ' LANDLINE '],
  [/(FIRST|LAST|FULL|MIDDLE|OWNER|FAMILY|GIVEN|SUR)(?=NAME)/g, '$1 '],
  [/(ZIP|POSTAL)(?=CODE)/g, '$1 '],
  [/(CELL|HOME|WORK|MOBILE)(?=PHONE)/g, '$1 '],
  [/PHONE(?=NUMBER|NUM|TYPE|NO\b|DNC)/g, 'PHONE '],
  [/(LINE|PHONE)(?=TYPE)/g, '$1 '],
  [/(MAILING|MAIL|PROPERTY|SITUS|OWNER|STREET)(?=ADDRESS|CITY|STATE|ZIP)/g, '$1 '],
  [/CITY(?=STATE)|STATE(?=ZIP)/g, '$& '],
];

/** `PH: Phone1_Type` → PH PHONE 1 TYPE. */
function tokensOf(heading: string): string[] {
  let text = foldAccents(heading.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '));
  for (const [pattern, replacement] of joinedWords) text = text.replace(pattern, replacement);
  return text
    .replace(/(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, '$& ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((token) => token !== '');
}

interface Heading {
  readonly heading: string;
  readonly tokens: readonly string[];
  /** The last number in the heading. */
  readonly index: number | null;
}

const readHeading = (heading: string): Heading => {
  const tokens = tokensOf(heading);
  const number = tokens.findLast((token) => /^\d{1,2}$/.test(token));
  return { heading, tokens: tokens.filter((token) => !/^\d+$/.test(token)), index: number ? Number(number) : null };
};

// Phones

const phoneWords = words('PHONE PHONES PH TEL TELEPHONE MOBILE CELL CELLULAR WIRELESS LANDLINE');
const mobileWords = words('MOBILE CELL CELLULAR WIRELESS');
/** Words beside a phone that tell columns apart. */
const whichPhone = words(
  'MOBILE CELL CELLULAR WIRELESS LANDLINE HOME WORK BUSINESS OFFICE PRIMARY SECONDARY ALTERNATE ALT OTHER BEST MAIN DAY EVENING',
);
const besidePhone = words('NUMBER NUMBERS NO NUM OWNER CONTACT LINE POSSIBLE INPUT PERSON THE');
const besideFlag = words('IS ON LIST FLAG STATUS FEDERAL REGISTRY LITIGATOR SCRUB OR AND');

const isMadeOf = (tokens: readonly string[], ...allowed: ReadonlySet<string>[]): boolean =>
  tokens.every((token) => allowed.some((set) => set.has(token)));

const isPhone = ({ tokens }: Heading): boolean =>
  tokens.some((token) => phoneWords.has(token)) && isMadeOf(tokens, phoneWords, whichPhone, besidePhone);

const isPhoneType = ({ tokens }: Heading): boolean =>
  tokens.includes('TYPE') &&
  isMadeOf(tokens, phoneWords, whichPhone, besidePhone, words('TYPE')) &&
  tokens.some((token) => phoneWords.has(token) || token === 'LINE' || tokens.length === 1);

const isDnc = ({ tokens }: Heading): boolean =>
  tokens.includes('DNC') && isMadeOf(tokens, phoneWords, whichPhone, besidePhone, besideFlag, words('DNC'));

/** What a number, its type and its flag share: which phone, and its index. */
const phoneKey = ({ tokens, index }: Heading): string =>
  `${tokens.filter((token) => whichPhone.has(token)).join(' ')}|${index ?? 1}`;

function lineTypeOf({ tokens }: Heading): LineType | null {
  if (tokens.some((token) => mobileWords.has(token))) return 'Mobile';
  return tokens.includes('LANDLINE') ? 'Landline' : null;
}

/** A flag for the whole row: plain DNC, or one that names a phone without a column. */
const isForRow = (flag: Heading, phones: readonly Heading[]): boolean =>
  flag.index === null &&
  (!flag.tokens.some((token) => phoneWords.has(token)) || !phones.some((phone) => phoneKey(phone) === phoneKey(flag)));

function guessPhones(headings: readonly Heading[]): ContactGuesses {
  const phones = headings.filter((each) => !isDnc(each) && isPhone(each));
  const types = headings.filter((each) => !isDnc(each) && isPhoneType(each));
  const flags = headings.filter(isDnc);
  const rowFlag = flags.find((flag) => isForRow(flag, phones));
  const columns = phones.flatMap((phone, at): [string, Expression][] => {
    const { number, lineType, dnc, usualType } = phoneColumns(at + 1);
    const of = (others: readonly Heading[]) =>
      others.find((other) => other !== rowFlag && phoneKey(other) === phoneKey(phone));
    const [type, flag, always] = [of(types), of(flags), lineTypeOf(phone)];
    return [
      [number.name, phone.heading],
      ...(type ? [[lineType.name, type.heading] as [string, Expression]] : []),
      ...(flag ? [[dnc.name, flag.heading] as [string, Expression]] : []),
      ...(always ? [[usualType.name, { constant: always }] as [string, Expression]] : []),
    ];
  });
  return { ...Object.fromEntries(columns), ...(rowFlag ? { dnc: rowFlag.heading } : {}) };
}

// Names

const besideName = words('OWNER OWNERS CONTACT INPUT PRIMARY TAXPAYER PERSON SELLER LEAD CUSTOMER CLIENT MAILING');
const nameRoles: readonly (readonly [SingleRole, ReadonlySet<string>])[] = [
  ['first_name', new Set(['FIRST', 'FIRST NAME', 'NAME FIRST', 'FNAME', 'GIVEN NAME', 'F NAME'])],
  ['middle_name', new Set(['MIDDLE', 'MIDDLE NAME', 'MIDDLE INITIAL', 'MI', 'NAME MIDDLE', 'MNAME'])],
  ['last_name', new Set(['LAST', 'LAST NAME', 'NAME LAST', 'LNAME', 'SURNAME', 'SUR NAME', 'FAMILY NAME', 'L NAME'])],
  ['suffix', new Set(['SUFFIX', 'NAME SUFFIX', 'GENERATION'])],
  ['full_name', new Set(['FULL NAME', 'NAME', 'NAME FULL', 'COMPLETE NAME'])],
];
/** Words of assessment rolls, which put the surname first. */
const rollOwner = words('OWNER OWNERS TAXPAYER');

function nameRole({ tokens, index }: Heading): SingleRole | null {
  if (index !== null && index !== 1) return null;
  const rest = tokens.filter((token) => !besideName.has(token));
  if (rest.length === 0) return tokens.some((token) => rollOwner.has(token)) ? 'full_name' : null;
  return nameRoles.find(([, texts]) => texts.has(rest.join(' ')))?.[0] ?? null;
}

const nameOrderOf = ({ tokens }: Heading): NameOrder =>
  tokens.some((token) => rollOwner.has(token)) && !tokens.includes('FULL') ? 'surname first' : 'given name first';

// Places

const mailing = words('MAILING MAIL OWNER OWNERS TAXPAYER BILLING HOME CONTACT INPUT CURRENT PERSON');
const property = words('PROPERTY SITUS SITE LOCATION PARCEL SUBJECT');
const placeRoles: readonly (readonly [SingleRole, ReadonlySet<string>])[] = [
  [
    'address',
    new Set(['ADDRESS', 'STREET', 'STREET ADDRESS', 'ADDRESS LINE', 'ADDR', 'ADDRESS STREET', 'FULL ADDRESS']),
  ],
  ['address_2', new Set(['UNIT', 'UNIT NUMBER', 'APT', 'SUITE', 'APARTMENT', 'UNIT NO'])],
  ['city', new Set(['CITY', 'TOWN', 'CITY NAME', 'ADDRESS CITY'])],
  ['state', new Set(['STATE', 'ST', 'STATE CODE', 'ADDRESS STATE', 'PROVINCE'])],
  ['zip', new Set(['ZIP', 'ZIP CODE', 'POSTAL CODE', 'POSTCODE', 'ZIP POSTAL CODE', 'ADDRESS ZIP', 'ZIPCODE'])],
  ['city_state_zip', new Set(['CITY STATE ZIP', 'CITY STATE ZIP CODE', 'CITY STATE', 'CITY ST ZIP', 'CSZ'])],
];

function placeRole({ tokens, index }: Heading): SingleRole | null {
  const rest = tokens.filter((token) => !mailing.has(token) && !property.has(token)).join(' ');
  const role = placeRoles.find(([, texts]) => texts.has(rest))?.[0] ?? null;
  if (role === 'address' && index === 2) return 'address_2';
  // ZIP 5 means one ZIP; CITY 2 is another person's.
  return index === null || index === 1 || role === 'zip' ? role : null;
}

type PlaceKind = 'mailing' | 'plain' | 'property';

function placeKind({ tokens }: Heading): PlaceKind {
  if (tokens.some((token) => property.has(token))) return 'property';
  return tokens.some((token) => mailing.has(token)) ? 'mailing' : 'plain';
}

type Roles = Partial<Record<SingleRole, string>>;

function rolesOf(headings: readonly Heading[], role: (heading: Heading) => SingleRole | null): Roles {
  const roles: Roles = {};
  for (const heading of headings) {
    const found = role(heading);
    if (found && roles[found] === undefined) roles[found] = heading.heading;
  }
  return roles;
}

const isPlace = (roles: Roles): boolean =>
  roles.zip !== undefined ||
  roles.city_state_zip !== undefined ||
  (roles.city !== undefined && roles.state !== undefined);

/** The mailing address before the property's: a person is traced at home. */
function guessPlace(headings: readonly Heading[]): Roles {
  const kinds = (['mailing', 'plain', 'property'] as const).map((kind) =>
    rolesOf(
      headings.filter((heading) => placeKind(heading) === kind),
      placeRole,
    ),
  );
  const [mail = {}, plain = {}, site = {}] = kinds;
  // Mailing Street beside City State Zip: plain headings fill in the missing parts of the mailing address.
  const candidates = [mail, { ...plain, ...mail }, plain, site];
  return candidates.find(isPlace) ?? candidates.find((roles) => roles.address !== undefined) ?? {};
}

/** The columns that the headings suggest; an import may need more. */
export function guessContacts(columns: readonly string[]): ContactGuesses {
  const headings = columns.filter((column) => column !== '').map(readHeading);
  const names = rolesOf(headings, nameRole);
  const hasParts = names.first_name !== undefined && names.last_name !== undefined;
  const full = headings.find(({ heading }) => heading === names.full_name);
  if (hasParts || !full) delete names.full_name;
  return {
    ...names,
    ...(names.full_name !== undefined && full ? { name_order: { constant: nameOrderOf(full) } } : {}),
    ...guessPlace(headings),
    ...guessPhones(headings),
  };
}
