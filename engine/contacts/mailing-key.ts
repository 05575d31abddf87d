/**
 * One key for all spellings of a mailing address: the owner portfolio. Street, unit and ZIP after the abbreviations of USPS
 * Publication 28. Two owners behind one key would mix portfolios, so what names no door and no box has no key.
 */
import { foldCase } from '../spec/text-fold.ts';

export interface MailingAddress {
  readonly address: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip: string | null;
}

const table = (text: string): Map<string, string> =>
  new Map(
    text
      .trim()
      .split(/\s*\n\s*/)
      .flatMap((line) => {
        const [standard = '', ...others] = line.split(/\s+/);
        return others.map((other): [string, string] => [other, standard]);
      }),
  );

/** Appendix C1 of Publication 28, those in use on letters: the standard first. Words of names that look the same are mapped too; a key needs no more than to be the same for both spellings. */
const streetWords = table(`
  ALY ALLEY ALLEE ALLY
  ANX ANNEX ANEX
  ARC ARCADE
  AVE AVENUE AV AVEN AVENU AVN AVNUE
  BCH BEACH
  BND BEND
  BLF BLUFF
  BLVD BOULEVARD BOUL BOULV
  BR BRANCH BRNCH
  BRG BRIDGE BRDGE
  BRK BROOK
  BYP BYPASS BYPA BYPASS
  CP CAMP CMP
  CYN CANYON CANYN CNYN
  CSWY CAUSEWAY CAUSWA
  CTR CENTER CENTRE CENT CENTR CNTR CNTER
  CIR CIRCLE CIRC CIRCL CRCL CRCLE
  CLB CLUB
  COR CORNER
  CORS CORNERS
  CT COURT CRT
  CTS COURTS
  CV COVE
  CRK CREEK
  CRES CRESCENT CRSENT CRSNT
  XING CROSSING CRSSNG
  XRD CROSSROAD
  DL DALE
  DR DRIVE DRIV DRV
  EST ESTATE
  ESTS ESTATES
  EXPY EXPRESSWAY EXP EXPR EXPRESS EXPW
  EXT EXTENSION EXTN EXTNSN
  FLS FALLS
  FRY FERRY
  FLD FIELD
  FLDS FIELDS
  FRD FORD
  FRST FOREST
  FRK FORK
  FRKS FORKS
  FT FORT FRT
  FWY FREEWAY FREEWY FRWY
  GDN GARDEN
  GDNS GARDENS GRDNS
  GTWY GATEWAY
  GLN GLEN
  GRN GREEN
  GRV GROVE GROV
  HBR HARBOR HARB HARBR HRBOR
  HVN HAVEN
  HTS HEIGHTS HT HGTS
  HWY HIGHWAY HIGHWY HIWAY HIWY HWAY
  HL HILL
  HLS HILLS
  HOLW HOLLOW HLLW
  IS ISLAND ISLND
  JCT JUNCTION JCTN JUNCTN
  KNL KNOLL KNOL
  LK LAKE
  LKS LAKES
  LNDG LANDING LNDNG
  LN LANE
  LGT LIGHT
  LDG LODGE LODG
  MNR MANOR
  MDW MEADOW
  MDWS MEADOWS
  ML MILL
  MLS MILLS
  MT MOUNT MNT
  MTN MOUNTAIN MNTN MOUNTIN MTIN
  ORCH ORCHARD ORCHRD
  PKWY PARKWAY PARKWY PKWAY PKY PARKWAYS PKWYS
  PASS PASSAGE
  PIKE PIKES
  PNE PINE
  PNES PINES
  PL PLACE
  PLN PLAIN
  PLNS PLAINS
  PLZ PLAZA PLZA
  PT POINT
  PTS POINTS
  PD POND
  PR PRAIRIE PRR
  RNCH RANCH RANCHES
  RPDS RAPIDS
  RDG RIDGE RDGE
  RIV RIVER RVR RIVR
  RD ROAD
  RDS ROADS
  RTE ROUTE RT
  SHR SHORE SHOAR
  SHRS SHORES
  SPG SPRING SPNG SPRNG
  SPGS SPRINGS SPNGS SPRNGS
  SQ SQUARE SQR SQRE SQU
  STA STATION STATN STN
  ST STREET STRT STR SAINT
  SMT SUMMIT SUMIT SUMITT
  TER TERRACE TERR
  TRL TRAIL TRAILS TRLS TR
  TPKE TURNPIKE TRNPK TURNPK TPK
  VLY VALLEY VALLY VLLY
  VW VIEW
  VLG VILLAGE VILL VILLAG VILLG
  VIS VISTA VIST VSTA
  WAY WY
  1ST FIRST
  2ND SECOND
  3RD THIRD
  4TH FOURTH
  5TH FIFTH
  6TH SIXTH
  7TH SEVENTH
  8TH EIGHTH
  9TH NINTH
  10TH TENTH
`);

const directions = table(`
  N NORTH NO
  S SOUTH SO
  E EAST
  W WEST
  NE NORTHEAST
  NW NORTHWEST
  SE SOUTHEAST
  SW SOUTHWEST
`);

/** Endings after which a direction is the name of the street itself: 12 NORTH ST. */
const endings = new Set([
  'ALY',
  'AVE',
  'BLVD',
  'CIR',
  'CT',
  'DR',
  'HWY',
  'LN',
  'PKWY',
  'PL',
  'RD',
  'SQ',
  'ST',
  'TER',
  'TPKE',
  'WAY',
]);

const unitWords = new Set(
  'APT APARTMENT UNIT STE SUITE SUIT RM ROOM FL FLOOR BLDG BUILDING SPC SPACE TRLR TRAILER LOT NUM'.split(' '),
);
const unitWithNumber = /^(?:APT|UNIT|STE|SUITE|RM|LOT|SPC)(\d+[A-Z]?)$/;
const ruralRoutes =
  /^(?:(?:R R|RR|RURAL RTE|RFD|RD|RURAL DELIVERY) (?:NO |# )?(\d+)|(HC|HCR|STAR RTE|HIGHWAY CONTRACT RTE) (?:NO |# )?(\d+)) (?:# )?BOX (?:# )?(\w+)/;
/** Within a line too: 9 SAMPLE POND RD PO BOX 611 goes to the box. */
const postBox = /(?:^| )(?:P O|PO|POST OFFICE|POST OFC|P 0|P) ?(?:BOX|BX|B0X|DRAWER|DWR) (?:# |NO )?(\w+)/;
const bareBox = /^(?:BOX|BX|DRAWER|POB|POBOX|PMB) (?:# |NO )?(\w+)/;
const careOf = /^(?:C O|CARE OF|ATTN|ATTENTION|%) /;

/** Words in upper case; points and apostrophes dropped, # on its own, other marks as blanks (12-34 and 3/5 stay). */
function wordsOf(address: string): string[] {
  const folded = foldCase(address)
    .replace(/[.'’]/g, '')
    .replace(/\bC\/O\b/g, 'C O ')
    .replace(/#/g, ' # ')
    .replace(/(\d)\s*([-/])\s*(?=\d)/g, '$1$2');
  return folded.split(/[^\p{L}\p{M}\p{N}#%/-]+/u).filter((word) => /[\p{L}\p{N}#%]/u.test(word));
}

/** Takes the unit off the street: APT 2, UNIT 2, STE 2, # 2 and APT2 are all the same door. */
function splitUnit(words: readonly string[]): { street: string[]; unit: string } {
  const street: string[] = [];
  const units: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    const joined = unitWithNumber.exec(word);
    const next = words[at + 1];
    const isMark = word === '#' || (at > 0 && unitWords.has(word));
    if (joined?.[1] && at > 0) units.push(joined[1]);
    else if (isMark && next === '#') continue;
    else if (isMark && next !== undefined) {
      units.push(next);
      at++;
    } else if (!isMark) street.push(word);
  }
  return { street, unit: units.join(' ') };
}

function standardStreet(words: readonly string[]): string {
  const mapped = words.map((word) => streetWords.get(word) ?? word);
  return mapped
    .map((word, at) => {
      const direction = directions.get(word);
      if (direction === undefined) return word;
      // 12 NORTH ST is North Street; 12 NORTH MAIN ST is on Main.
      const isName = at === mapped.length - 2 && endings.has(mapped[at + 1] ?? '');
      return isName ? word : direction;
    })
    .join(' ');
}

function boxOf(words: readonly string[]): string | null {
  const text = words.map((word) => (word === 'ROUTE' ? 'RTE' : word)).join(' ');
  const rural = ruralRoutes.exec(text);
  if (rural) return rural[1] ? `RR ${rural[1]} BOX ${rural[4]}` : `HC ${rural[3]} BOX ${rural[4]}`;
  const box = postBox.exec(text) ?? bareBox.exec(text);
  return box ? `PO BOX ${box[1]}` : null;
}

function doorOf(address: string): string | null {
  const words = wordsOf(address);
  const box = boxOf(words);
  if (box) return `${box}|`;
  const { street, unit } = splitUnit(words.slice(startOfStreet(words)));
  // A street without a number is the whole street; GENERAL DELIVERY is the counter of the post office.
  if (street.length < 2 || !street.some((word) => /\d/.test(word))) return null;
  return `${standardStreet(street)}|${unit}`;
}

const streetStandards = new Set([...streetWords.values(), ...streetWords.keys(), 'US', 'STATE', 'COUNTY']);

/**
 * Behind C/O and behind a person's name (DOE, JANE A 12 ELM ST) the street begins at its number. Words of streets
 * before a number make it part of the street: US HWY 2 EAST.
 */
function startOfStreet(words: readonly string[]): number {
  const number = words.findIndex((word) => /^\d/.test(word));
  if (careOf.test(`${words.join(' ')} `)) return number === -1 ? words.length : number;
  const isName = number > 0 && number + 2 < words.length && !words.slice(0, number).some((w) => streetStandards.has(w));
  return isName ? number : 0;
}

function placeOf({ city, state, zip }: MailingAddress): string | null {
  const five = /^\d{5}/.exec(zip ?? '')?.[0];
  if (five) return five;
  const [town, code] = [city, state].map((text) =>
    foldCase(text ?? '')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  );
  return town && code ? `${town} ${code}` : null;
}

/**
 * `street|unit|place`; null without a street number or box, or without a ZIP (city and state stand in for it).
 * Equal keys are one owner portfolio.
 */
export function mailingKey(mailing: MailingAddress): string | null {
  if (mailing.address === null) return null;
  const place = placeOf(mailing);
  if (place === null) return null;
  const door = doorOf(mailing.address);
  return door === null ? null : `${door}|${place}`;
}
