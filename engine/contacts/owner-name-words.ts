/**
 * Removes from assessors' owner names what is not part of the name: tenancy, shares, estates, other names, care of. All
 * tables are in capital letters.
 */
import { foldSpaces } from '../spec/text-fold.ts';
import { generationOf } from './fold-name.ts';

const list = (text: string): string[] => text.trim().split(/\s*\|\s*/);

/** Matches any phrase as whole words; longest first, so that ET UX is tried before ET. */
const phrases = (texts: readonly string[]): RegExp => {
  const sources = [...texts]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s*'));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
};

/** Tenancies, and unnamed co-owners. */
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

/** Shares: a half, 28 %, an undivided third. Removed first, since a text that still has digits is not a name. */
const shares =
  /(?<![\p{L}\p{N}])(?:(?:AN? )?(?:UND(?:IV(?:IDED)?)?\.? )?\d+(?:\.\d+)?\s*(?:\/\s*\d+(?:TH|RD|ND|ST)?S?|%|PERCENT|PCT)(?:\s*(?:UND(?:IV(?:IDED)?)?\.?\s*)?(?:INTEREST|INTERESTS|INTS?|SHARE|SHARES|EACH)(?!\p{L}))?|UND(?:IV(?:IDED)?)?\.? (?:INTEREST|INTS?|HALF|ONE HALF)(?!\p{L})|(?:HALF|ONE HALF) (?:INTEREST|INTS?|SHARE)(?!\p{L})|(?:INTEREST|INT)(?!\p{L}))/gu;

const heirs =
  /(?<![\p{L}\p{N}])(?:(?:THE )?(?:UNKNOWN )?(?:HEIRS|HRS|DEVISEES|HEIR)(?: (?:AND|&) (?:DEVISEES|ASSIGNS))?(?: OF)?(?: THE ESTATE OF)?)(?![\p{L}\p{N}])/gu;
const estateOf = /(?<![\p{L}\p{N}])(?:THE )?(?:ESTATE|EST) OF(?: THE LATE)?(?![\p{L}\p{N}])/gu;
/** SMITH JOHN EST: ESTATE after a name of at least two words. */
const estateBehind = /(?<=\S+\s+\S+\s+)(?:ESTATE|EST)(?![\p{L}\p{N}])/gu;

/** Care of: C/O, ATTN, and % without a number before it. */
const careOf = /(?:^|\s|,)(?:C\/O|C\\O|C\.O\.|CARE OF|ATTN|ATTENTION)(?![\p{L}\p{N}]).*$|(?<!\d\s*)%.*$/isu;
/** Other names of the same person, up to the next person. */
const otherNames =
  /(?<![\p{L}\p{N}])(?:AKA|A\/K\/A|A K A|A\.K\.A\.?|FKA|F\/K\/A|F\.K\.A\.?|NKA|N\/K\/A|N\.K\.A\.?|FORMERLY KNOWN AS|ALSO KNOWN AS|NOW KNOWN AS|FORMERLY|WHO ACQUIRED TITLE AS)(?![\p{L}\p{N}])[^&;+]*/gu;

/** The name without the part after C/O, which names the recipient of letters, not the owner. */
export function withoutCareOf(raw: string): string {
  const at = raw.search(careOf);
  return at < 0 ? raw : raw.slice(0, at);
}

/** A name that is nothing but a recipient is left whole. */
export const ownerOf = (raw: string): string => withoutCareOf(raw) || raw;

interface PlainName {
  readonly text: string;
  /** ESTATE OF JOHN SMITH: given name first, unlike everywhere else in the roll. */
  readonly isEstateOf: boolean;
}

/** The names only. @param owner from withoutCareOf */
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
    // QUIMBY.JOHN and QUIMBY. JOHN: a mistyped comma. ST. and JR. are shorter.
    .replace(/^(\p{L}{4,})\.\s*(?=\p{L}{2,})/u, '$1, ')
    .replace(/[.:]/g, ' ');
  return { text: foldSpaces(text), isEstateOf };
}

/** Tenancy abbreviations at the end of a name, if a whole name remains before them. */
export const tenancyEndings = new Set(list('JT | JTS | TC | TE | HW | WH | CP | EST | AND | UX | ET | AL'));

/** Words that show an owner is not a person, beyond the companies of owner-type.ts. */
const impersonalWords = new Set(
  list(`OF | THE | FOR | STREET | AVENUE | AVE | ROAD | RD | BOULEVARD | HIGHWAY | HWY | CONDO | CONDOS | CONDOMINIUM | CONDOMINIUMS |
  TOWNHOMES | TOWNHOUSE | CHAPTER | EVANGELICAL | EVANGELIC | BAPTIST | LUTHERAN | CONF | CONFERENCE | OWNER | OWNERS | UNKNOWN | VARIOUS |
  MULTIPLE | PARCEL | SUBDIVISION | SUBD | BLDG | PARTNERSHIP | BROS | ASSOCIATES | REALTY | REALEST | EXEMPT | NATIONAL | UTILITY |
  UTILITIES | RAILROAD | RR | PIPELINE | CEMETERY | MUSEUM | LIBRARY | MONASTERY | IRA | FBO | RETIREMENT | IRRIGATION | FAMILY`),
);
/** Such words, but only after the first one: CHURCH JOHN is a person; JOHN CHURCH cannot be told from a church. */
const impersonalEndings = new Set(
  list(`ST | DRIVE | COURT | RIVER | CREEK | POND | LAKE | DAM | BEACH | TRAIL | CANAL | DITCH | MASTER | CHURCH | CH | MINISTRY | LOT | LOTS |
  TRACT | PROPERTY | LAND | LANDS | FARM | RANCH | PHASE | BLOCK | UNIT | UNITS | BUILDING | PARTNERS | GROUP | BROTHERS | SONS | SISTERS |
  COMMON | PUBLIC | SCHOOL | TOWN | CITY | COUNTY | STATE | VILLAGE | DISTRICT | DIST | CONVENT | NATION | PENSION | PLAN | FUND`),
);

/** Whether the text has words or digits that no person's name has. @param text from plainName */
export const isImpersonal = (text: string): boolean =>
  text.split(/[\s,]+/).some(
    (word, at, words) =>
      impersonalWords.has(word) ||
      // VAN ST PIERRE; but 2ND ST.
      (at > 0 && impersonalEndings.has(word) && !(word === 'ST' && at + 1 < words.length)) ||
      (/\p{N}/u.test(word) && generationOf(word) === null),
  );

/**
 * Whether the name ends in REV or RE, probably cut off before TRUST. owner-type.ts ignores them unless the field is full; a
 * skip trace is stricter, since it must not guess whom to call.
 */
export const endsAsCutTrust = (text: string): boolean => /\S\s+\S+\s+(?:I?R+EV|RE)$/.test(text);
