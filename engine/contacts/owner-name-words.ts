/**
 * What stands in assessors' owner names beside the names: how a title is held, shares, estates, other names, care of.
 * All of it in capital letters.
 */
import { foldSpaces } from '../spec/text-fold.ts';
import { generationOf } from './fold-name.ts';

const list = (text: string): string[] => text.trim().split(/\s*\|\s*/);

/** Each phrase as whole words, the longest first, so that ET UX goes before ET. */
const phrases = (texts: readonly string[]): RegExp => {
  const sources = [...texts]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s*'));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
};

/** How the title is held, and who else holds it without a name. */
const tenancies = phrases(
  list(`HUSBAND AND WIFE | HUSBAND & WIFE | HUSBAND/WIFE | WIFE AND HUSBAND | WIFE & HUSBAND | H/W | W/H | H & W | W & H | HUS & WF |
  AS JOINT TENANTS | JOINT TENANTS | JOINT TENANT | JOINT TENANCY | JOINT | JT TENANTS | JT TENS | JT TEN | JT/TEN | J/T | JTWROS | JT WROS |
  JT/WROS | JTRS | JT/RS | WROS | W/ROS | WITH RIGHTS OF SURVIVORSHIP | WITH RIGHT OF SURVIVORSHIP | RIGHTS OF SURVIVORSHIP |
  TENANTS IN COMMON | TENANT IN COMMON | TEN IN COM | TEN COM | TEN/COM | T/C | T/I/C | TIC | TENANTS BY THE ENTIRETY | TENANTS BY ENTIRETY |
  TENANTS BY THE ENTIRETIES | TENANTS BY ENTIRETIES | TENANCY BY THE ENTIRETY | TEN BY ENT | TEN ENT | T/E | T B E | TBE |
  COMMUNITY PROPERTY | CO-OWNERS | CO OWNERS | ET ALS | ET AL | ETAL | ETALS | ET-AL | ET UX | ETUX | ET-UX | ET VIR | ETVIR | ET-VIR |
  ET CON | AND OTHERS | & OTHERS | OTHERS | A SINGLE MAN | A SINGLE WOMAN | A SINGLE PERSON | A MARRIED MAN | A MARRIED WOMAN |
  A MARRIED COUPLE | AN UNMARRIED MAN | AN UNMARRIED WOMAN | AN UNMARRIED PERSON | UNMARRIED | A WIDOW | A WIDOWER | WIDOWER |
  DECEASED | DECD | DEC'D | SURVIVING SPOUSE | SURVIVING TENANT | SOLE OWNER | FEE SIMPLE | REMAINDERMAN | REMAINDERMEN`),
);

const lifeEstates = phrases(
  list(
    'LIFE ESTATE | LIFE ESTATES | LIFE EST | LIFE TENANT | LIFE TENANTS | LIFE TENANCY | LIFE USE | LIFE INTEREST | LIFE INT | L/E | L/T',
  ),
);

/** A half, 28 %, an undivided third. Before the digits are looked at: what is left with a digit is no name. */
const shares =
  /(?<![\p{L}\p{N}])(?:(?:AN? )?(?:UND(?:IV(?:IDED)?)?\.? )?\d+(?:\.\d+)?\s*(?:\/\s*\d+(?:TH|RD|ND|ST)?S?|%|PERCENT|PCT)(?:\s*(?:UND(?:IV(?:IDED)?)?\.?\s*)?(?:INTEREST|INTERESTS|INTS?|SHARE|SHARES|EACH)(?!\p{L}))?|UND(?:IV(?:IDED)?)?\.? (?:INTEREST|INTS?|HALF|ONE HALF)(?!\p{L})|(?:HALF|ONE HALF) (?:INTEREST|INTS?|SHARE)(?!\p{L})|(?:INTEREST|INT)(?!\p{L}))/gu;

const heirs =
  /(?<![\p{L}\p{N}])(?:(?:THE )?(?:UNKNOWN )?(?:HEIRS|HRS|DEVISEES|HEIR)(?: (?:AND|&) (?:DEVISEES|ASSIGNS))?(?: OF)?(?: THE ESTATE OF)?)(?![\p{L}\p{N}])/gu;
const estateOf = /(?<![\p{L}\p{N}])(?:THE )?(?:ESTATE|EST) OF(?: THE LATE)?(?![\p{L}\p{N}])/gu;
/** SMITH JOHN EST; before ESTATE there is a name of two words. */
const estateBehind = /(?<=\S+\s+\S+\s+)(?:ESTATE|EST)(?![\p{L}\p{N}])/gu;

/** Letters go to another: C/O, ATTN, and % where no number stands before it. */
const careOf = /(?:^|\s|,)(?:C\/O|C\\O|C\.O\.|CARE OF|ATTN|ATTENTION)(?![\p{L}\p{N}]).*$|(?<!\d\s*)%.*$/isu;
/** Other names of the same person, to the next person. */
const otherNames =
  /(?<![\p{L}\p{N}])(?:AKA|A\/K\/A|A K A|A\.K\.A\.?|FKA|F\/K\/A|F\.K\.A\.?|NKA|N\/K\/A|N\.K\.A\.?|FORMERLY KNOWN AS|ALSO KNOWN AS|NOW KNOWN AS|FORMERLY|WHO ACQUIRED TITLE AS)(?![\p{L}\p{N}])[^&;+]*/gu;

/** The name without the part behind C/O: there stands who gets the letters, not who owns. Otherwise as it was given. */
export function withoutCareOf(raw: string): string {
  const at = raw.search(careOf);
  return at < 0 ? raw : raw.slice(0, at);
}

export interface PlainName {
  readonly text: string;
  /** ESTATE OF JOHN SMITH: given name first, unlike everywhere else in the roll. */
  readonly isEstateOf: boolean;
}

/** The names alone. @param owner from withoutCareOf */
export function plainName(owner: string): PlainName {
  const folded = foldSpaces(owner);
  const isEstateOf =
    /^(?:THE )?(?:(?:UNKNOWN )?(?:HEIRS|HRS|DEVISEES|HEIR)(?: (?:AND|&) \p{L}+)? OF|(?:ESTATE|EST) OF)(?!\p{L})/u.test(
      folded,
    );
  const text = folded
    .replace(/’/g, "'")
    .replace(/\([^)]*\)?|"[^"]*"?|\*+/g, ' ')
    .replace(otherNames, ' ')
    .replace(lifeEstates, ' ')
    .replace(shares, ' ')
    .replace(tenancies, ' ')
    .replace(heirs, ' ')
    .replace(estateOf, ' ')
    .replace(estateBehind, ' ')
    // QUIMBY.JOHN and QUIMBY. JOHN: a comma that was mistyped. ST. and JR. are shorter.
    .replace(/^(\p{L}{4,})\.\s*(?=\p{L}{2,})/u, '$1, ')
    .replace(/[.:]/g, ' ');
  return { text: foldSpaces(text), isEstateOf };
}

/** Abbreviations at the end of a person's name that say how the title is held, where a whole name is left before them. */
export const tenancyEndings = new Set(list('JT | JTS | TC | TE | HW | WH | CP | EST | AND | UX | ET | AL'));

/** Words of what is no person, beyond the companies of owner-type.ts. */
const impersonalWords = new Set(
  list(`OF | THE | FOR | STREET | AVENUE | AVE | ROAD | RD | BOULEVARD | HIGHWAY | HWY | CONDO | CONDOS | CONDOMINIUM | CONDOMINIUMS |
  TOWNHOMES | TOWNHOUSE | CHAPTER | EVANGELICAL | EVANGELIC | BAPTIST | LUTHERAN | CONF | CONFERENCE | OWNER | OWNERS | UNKNOWN | VARIOUS |
  MULTIPLE | PARCEL | SUBDIVISION | SUBD | BLDG | PARTNERSHIP | BROS | ASSOCIATES | REALTY | REALEST | EXEMPT | NATIONAL | UTILITY |
  UTILITIES | RAILROAD | RR | PIPELINE | CEMETERY | MUSEUM | LIBRARY | MONASTERY | IRA | FBO | RETIREMENT | IRRIGATION | FAMILY`),
);
/** The same behind the first word of a name: CHURCH JOHN is a person, JOHN CHURCH of that surname is not to be had. */
const impersonalEndings = new Set(
  list(`ST | DRIVE | COURT | RIVER | CREEK | POND | LAKE | DAM | BEACH | TRAIL | CANAL | DITCH | MASTER | CHURCH | CH | MINISTRY | LOT | LOTS |
  TRACT | PROPERTY | LAND | LANDS | FARM | RANCH | PHASE | BLOCK | UNIT | UNITS | BUILDING | PARTNERS | GROUP | BROTHERS | SONS | SISTERS |
  COMMON | PUBLIC | SCHOOL | TOWN | CITY | COUNTY | STATE | VILLAGE | DISTRICT | DIST | CONVENT | NATION | PENSION | PLAN | FUND`),
);

/** Whether words or digits stand in it that no person's name has. @param text from plainName */
export const isImpersonal = (text: string): boolean =>
  text.split(/[\s,]+/).some(
    (word, at, words) =>
      impersonalWords.has(word) ||
      // VAN ST PIERRE; but 2ND ST.
      (at > 0 && impersonalEndings.has(word) && !(word === 'ST' && at + 1 < words.length)) ||
      (/\p{N}/u.test(word) && generationOf(word) === null),
  );

/**
 * Whether the name ends in REV or RE, where it was cut off before TRUST. owner-type.ts leaves them alone unless the field
 * is full; but nobody's last name is REV, and whom to call is no place for a guess.
 */
export const endsAsCutTrust = (text: string): boolean => /\S\s+\S+\s+(?:I?R+EV|RE)$/.test(text);
