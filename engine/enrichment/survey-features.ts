/**
 * Reads which township, section or part of a section a feature is, from the columns of the Bureau of Land Management's
 * survey (CadNSDI) and of counties that name them plainly.
 */
import { textOf } from '../importing/values/convert-value.ts';
import { type LegalTract, parseLegalDescription, tractText } from '../spec/plss/legal-description.ts';
import { meridianOf } from '../spec/plss/meridians.ts';
import { foldSpaces } from '../spec/text-fold.ts';

type Properties = Readonly<Record<string, unknown>>;

/** Columns in the order of trying. */
const columns = {
  id: ['SECDIVID', 'FRSTDIVID', 'PLSSID'],
  label: ['TWNSHPLAB', 'TWP_RNG', 'TWNRNG', 'TOWNRANGE', 'TR', 'TRS', 'STR'],
  township: ['TWNSHPNO', 'TOWNSHIP', 'TWP', 'TWN', 'TWNSHP', 'TWP_NO', 'T'],
  townshipHalf: ['TWNSHPFRAC'],
  townshipSide: ['TWNSHPDIR', 'TWPDIR', 'TWP_DIR', 'TOWNSHIPDIR', 'TDIR'],
  range: ['RANGENO', 'RANGE', 'RNG', 'RGE', 'RANGE_NO', 'R'],
  rangeHalf: ['RANGEFRAC'],
  rangeSide: ['RANGEDIR', 'RNGDIR', 'RNG_DIR', 'RGEDIR', 'RDIR'],
  section: ['FRSTDIVNO', 'SECTION', 'SEC', 'SECT', 'SECTION_NO', 'SEC_NO', 'S'],
  sectionType: ['FRSTDIVTYP'],
  part: ['QQSEC', 'QSEC', 'SECDIVNO', 'SECDIVLAB'],
  meridian: ['PRINMERCD', 'PRINMER', 'MERIDIAN', 'MERIDIAN_N'],
} as const satisfies Record<string, readonly string[]>;

export const surveyColumns = 'FRSTDIVID, PLSSID, or TWNSHPNO, TWNSHPDIR, RANGENO, RANGEDIR and FRSTDIVNO';

/** State, meridian, township, range, whether it is a second of that name; then the section: `MT200050N0030W0SN120`. */
const survey =
  /^[A-Z]{2}(?<meridian>\d{2})(?<t>\d{3})(?<tHalf>\d)(?<tSide>[NS])(?<r>\d{3})(?<rHalf>\d)(?<rSide>[EW])\w(?:(?<type>[A-Z]{2})(?<section>\d{2,3})\w)?/;
const sectionType = 'SN';
/** CadNSDI counts fractions in quarters. */
const halfCode = '2';

/**
 * `S12 T5N R3W, 6th PM`, of a township without the section; of a part with it before: `NE¼, S12 …`.
 * @returns null if the columns do not tell, or for a tract that is no section
 */
export function surveyPlaceOf(properties: Properties): string | null {
  const read = readerOf(properties);
  const township = townshipOf(read) ?? townshipOfId(read('id'));
  if (township === null) return null;
  const number = read('section') ?? township.section;
  const type = read('sectionType') ?? township.type ?? sectionType;
  if (number !== null && (type !== sectionType || !/^0*[1-9]\d*$/.test(number))) return null;
  const part = number === null ? null : partOf(read('part'));
  const place = number === null ? township.text : `S${Number(number)} ${township.text}`;
  const [tract, ...others] = parseLegalDescription([...(part === null ? [] : [part]), place].join(' ')).tracts;
  const meridian = meridianOf(read('meridian') ?? '') ?? meridianOf(township.meridian ?? '');
  return tract === undefined || others.length > 0 ? null : tractText({ ...tract, meridian });
}

type Read = (field: keyof typeof columns) => string | null;

/** Reads the first filled column of a field; case does not count. */
function readerOf(properties: Properties): Read {
  const byName = new Map(Object.keys(properties).map((name) => [foldSpaces(name), name]));
  return (field) => {
    for (const name of columns[field]) {
      const own = byName.get(name);
      const text = own === undefined ? null : textOf(properties[own]);
      if (text !== null) return text.trim();
    }
    return null;
  };
}

interface Township {
  readonly text: string;
  readonly section: string | null;
  readonly type: string | null;
  readonly meridian: string | null;
}

function townshipOf(read: Read): Township | null {
  const [township, range] = [
    gridOf('T', read('township'), read('townshipHalf'), read('townshipSide')),
    gridOf('R', read('range'), read('rangeHalf'), read('rangeSide')),
  ];
  const label = read('label');
  const whole = township !== null && range !== null ? `${township} ${range}` : label;
  const [tract] = whole === null ? [] : parseLegalDescription(whole).tracts;
  if (!tract?.township || !tract.range) return null;
  const section = tract.section === null ? null : String(tract.section);
  return { text: `${tract.township} ${tract.range}`, section, type: null, meridian: null };
}

/** `T5N` from `5` and `N`, `005N`, `T5N`. */
function gridOf(letter: 'T' | 'R', number: string | null, half: string | null, side: string | null): string | null {
  const found = /^[TR]?\s*0*(\d+)\s*([NSEW])?/i.exec(number ?? '');
  const direction = found?.[2] ?? side?.charAt(0);
  return found && direction ? `${letter}${found[1]}${half === halfCode ? '½' : ''}${direction}` : null;
}

function townshipOfId(id: string | null): Township | null {
  const found = survey.exec(id ?? '')?.groups;
  if (!found) return null;
  const { t, tHalf, tSide, r, rHalf, rSide, type = null, section = null, meridian = null } = found;
  const grid = (letter: string, number = '', half = '', side = '') =>
    `${letter}${Number(number)}${half === halfCode ? '½' : ''}${side}`;
  return { text: `${grid('T', t, tHalf, tSide)} ${grid('R', r, rHalf, rSide)}`, section, type, meridian };
}

/** `NENE`, `NE`, `L 3`, `Lot 3`; null for anything else, as a tract's number. */
function partOf(text: string | null): string | null {
  const plain = text?.toUpperCase() ?? '';
  if (/^(?:NE|NW|SE|SW|[NSEW]2)+$/.test(plain)) return plain.replace(/(NE|NW|SE|SW)/g, '$14');
  const lot = /^L(?:OT)?\s*(\d+)$/.exec(plain);
  return lot ? `Lot ${lot[1]}` : null;
}

export type SurveyPlace = Pick<LegalTract, 'township' | 'range' | 'section' | 'meridian'>;

/** From the text of `surveyPlaceOf`. */
export function readSurveyPlace(text: string): SurveyPlace {
  const [tract] = parseLegalDescription(text).tracts;
  return tract ?? { township: null, range: null, section: null, meridian: null };
}

/** Without its part: the section of a quarter. */
export const sectionText = (text: string): string => text.replace(/^.*?(?=(?:S\d+ )?T\d)/, '');

/** `T5N R3W`, with its meridian. */
export const townshipText = (text: string): string => text.replace(/^.*?(?=T\d+½?[NS] R)/, '');

/** Whether a place is a whole section. */
export const isSection = (text: string): boolean => /^S\d/.test(text);

/** What the map writes on it: `12`, `T5N R3W`; nothing on a part of a section. */
export function surveyLabel(text: string): string | null {
  const section = /^S(\d+) /.exec(text);
  if (section) return section[1] ?? null;
  return text.startsWith('T') ? text.replace(/,.*$/, '') : null;
}
