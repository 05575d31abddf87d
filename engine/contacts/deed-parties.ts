/** The names on a deed: whether they are one family, and whether a party is one whose land has no market price. */
import { foldSpaces, foldWords } from '../spec/text-fold.ts';
import { ownerType } from './owner-type.ts';

const particles = new Set('VAN VON DE DEL DELLA DER DEN DI DA DU LA LE LOS LAS ST SAINT MC MAC O TEN TER'.split(' '));
const notSurnames = new Set(
  'THE A ESTATE EST OF HEIRS TRUST TRUSTEE TRUSTEES TTEE TR REVOCABLE REV LIVING FAMILY IRREVOCABLE JR SR II III IV MR MRS DR'.split(
    ' ',
  ),
);

/** The surname at the start of a name, with its particles: VAN DYKE, DE LA CRUZ. */
function leadingSurname(words: readonly string[]): string {
  const end = words.findIndex((word) => !particles.has(word));
  return words.slice(0, end === -1 ? words.length : end + 1).join(' ');
}

/** Surnames of people in an assessor's name: SMITH, JOHN & DOE, MARY has two; ESTATE OF JOHN SMITH ends in one. */
export function surnamesOf(name: string): Set<string> {
  const found = new Set<string>();
  for (const [index, part] of name.split(/&|;|\bAND\b/i).entries()) {
    const [before = '', after] = part.split(',');
    const words = (text: string) =>
      foldWords(text)
        .trim()
        .split(' ')
        .filter((word) => word !== '' && !notSurnames.has(word));
    const given = words(before);
    // after the first name, one without a comma is a given name: SMITH JOHN & MARY
    if (given.length > 0 && (index === 0 || after !== undefined)) found.add(leadingSurname(given));
    if (/\b(ESTATE|EST|HEIRS) OF\b/i.test(part) && given.length > 1) found.add(given.at(-1) ?? '');
  }
  found.delete('');
  return found;
}

const isPerson = (name: string): boolean => ['individual', 'trust', null].includes(ownerType(name));

/** The same family, by a shared surname, or the same company. */
export function areRelated(seller: string, buyer: string): boolean {
  if (foldWords(seller) === foldWords(buyer)) return true;
  if (!isPerson(seller) || !isPerson(buyer)) return false;
  const sellers = surnamesOf(seller);
  return [...surnamesOf(buyer)].some((surname) => sellers.has(surname));
}

/** Sellers that do not wait for a price: they foreclosed, or took the land for taxes. Whole words, folded. */
const distressedSellers =
  'BANK|BANKERS|BANCORP|MORTGAGE|CREDIT UNION|SAVINGS|LOAN|FANNIE MAE|FREDDIE MAC|FNMA|FHLMC|HUD|SHERIFF|TREASURER|TAX COLLECTOR|TAX CLAIM|COLLECTOR OF TAXES|MARSHAL|REFEREE|SECRETARY OF HOUSING|FORECLOSURE|BANKRUPTCY'
    .split('|')
    .map((words) => ` ${words} `);

/** Whether land of such a seller goes for no market price: a government, a bank, a sheriff. */
export function isInstitution(name: string): boolean {
  const type = ownerType(name);
  if (type === 'government') return true;
  const words = foldWords(name);
  // BANKS and MARSHALL are people; so is BANK, JOHN
  return type !== 'individual' && distressedSellers.some((phrase) => words.includes(phrase));
}

/** Prefixes of words in deeds that are not ordinary sales. */
const forcedDeeds =
  'TAX|SHERIFF|FORECLOS|QUIT|QUITCLAIM|GIFT|LIEU|CORRECT|CONFIRM|TREASURER|COLLECTOR|COURT|DECREE|DIVORCE|AFFIDAVIT|EASEMENT|LIFE ESTATE|TRANSFER ON DEATH'
    .split('|')
    .map((words) => ` ${words}`);
const forcedDeedCodes = new Set('QC QCD QD TXD SHD SD FD FCD CD GD'.split(' '));

export function isForcedDeed(type: string | null): boolean {
  if (type === null) return false;
  return forcedDeedCodes.has(foldSpaces(type)) || forcedDeeds.some((start) => foldWords(type).includes(start));
}

/** Whole words, folded. CHURCH, JOHN is a person. */
const charities = ' CHURCH | CHAPEL | DIOCESE | PARISH | LAND TRUST | CONSERVANCY | HABITAT FOR HUMANITY '.split('|');

/** Pays no taxes on land, and seldom a market price for it. */
export const isExemptParty = (name: string): boolean =>
  ownerType(name) === 'government' ||
  (ownerType(name) !== 'individual' && charities.some((words) => foldWords(name).includes(words)));
