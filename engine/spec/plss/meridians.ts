/** The principal meridians of the public land survey, with the codes of the Bureau of Land Management (PRINMERCD). */

interface Meridian {
  readonly code: string;
  /** As a description ends with it. */
  readonly short: string;
  /** Names and initials that deeds use beside `short`, without points and in lower case. */
  readonly also: readonly string[];
}

const row = (code: string, short: string, ...also: string[]): Meridian => ({ code, short, also });

export const meridians: readonly Meridian[] = [
  row('01', '1st PM', 'first'),
  row('02', '2nd PM', 'second'),
  row('03', '3rd PM', 'third'),
  row('04', '4th PM', 'fourth'),
  row('05', '5th PM', 'fifth'),
  row('06', '6th PM', 'sixth'),
  row('07', 'Black Hills', 'bhm'),
  row('08', 'Boise', 'bm'),
  row('09', 'Chickasaw'),
  row('10', 'Choctaw'),
  row('11', 'Cimarron', 'cm'),
  row('12', 'Copper River', 'crm'),
  row('13', 'Fairbanks', 'fm'),
  row('14', 'Gila and Salt River', 'gila & salt river', 'g&srm', 'g&srb&m', 'gsrm'),
  row('15', 'Humboldt', 'hm', 'hb&m'),
  row('16', 'Huntsville'),
  row('17', 'Indian', 'im'),
  row('18', 'Louisiana'),
  row('19', 'Michigan'),
  row('20', 'Montana', 'principal meridian montana', 'principal montana', 'mpm', 'pmm'),
  row('21', 'Mount Diablo', 'mt diablo', 'mdm', 'mdb&m', 'mdbm'),
  row('22', 'Navajo'),
  row('23', 'New Mexico', 'nmpm'),
  row('24', 'St Helena', 'saint helena'),
  row('25', 'St Stephens', 'saint stephens'),
  row('26', 'Salt Lake', 'slm', 'slb&m', 'slbm'),
  row('27', 'San Bernardino', 'sbm', 'sbb&m', 'sbbm'),
  row('28', 'Seward', 'sm'),
  row('29', 'Tallahassee'),
  row('30', 'Uintah', 'usm', 'usb&m', 'uintah special'),
  row('31', 'Ute', 'um'),
  row('32', 'Washington'),
  row('33', 'Willamette', 'wm'),
  row('34', 'Wind River', 'wrm'),
  row('44', 'Kateel River', 'krm'),
  row('45', 'Umiat'),
  row('46', '4th PM Extended', '4th extended', 'fourth extended'),
];

/** Lower case, without points, and without the words that every meridian has. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\./g, '')
    .replace(/,/g, ' ')
    .replace(/\b(?:principal|base(?: line)?(?: and|&)?|b ?& ?m|meridian|mer|p ?m|the|of)\b/g, ' ')
    .replace(/\s*&\s*/g, '&')
    .replace(/\s+/g, ' ')
    .trim();

const byName = new Map<string, Meridian>();
for (const meridian of meridians) {
  for (const name of [meridian.short, ...meridian.also]) {
    for (const form of [plain(name), name.toLowerCase()]) if (form !== '') byName.set(form, meridian);
  }
}
const byCode = new Map(meridians.map((meridian) => [meridian.code, meridian]));

/** The short name for a name, initials (`M.D.M.`) or a code; null if it is none. */
export function meridianOf(text: string): string | null {
  const initials = text.toLowerCase().replace(/[.\s]/g, '');
  const code = /^\d{1,2}$/.test(initials) ? byCode.get(initials.padStart(2, '0')) : undefined;
  return (code ?? byName.get(initials) ?? byName.get(plain(text)))?.short ?? null;
}

/** `mdm`, `g&srm`: initials, which may be written `M.D.M.` */
const isInitials = (name: string): boolean => /^[a-z&]{2,6}m$/.test(name) && !name.includes(' ');
const initialsPattern = (name: string): string =>
  [...name].map((letter) => (letter === '&' ? String.raw`\s?&\s?` : String.raw`${letter}\.?\s?`)).join('');
const namePattern = (name: string): string =>
  name
    .replace(/ PM.*/, '')
    .split(' ')
    .map((word) => (/^(st|mt)$/i.test(word) ? String.raw`${word}\.?` : word))
    .join(String.raw`\s+`);

const behind = String.raw`\s*(?:p\.?\s?m\b\.?|principal\s+mer(?:idian)?\b\.?|(?:base\s+(?:line\s+)?(?:and|&)\s+)?mer(?:idian)?\b\.?)`;
const spellings = meridians.flatMap(({ short, also }) => [short, ...also]);

/**
 * A meridian where a description names it: `6th P.M.`, `Boise Meridian`, `M.D.M.`. A name without "Meridian" may be
 * anything else and does not count.
 */
export const meridianPattern: string = [
  String.raw`principal\s+mer(?:idian)?\.?,?\s+montana`,
  ...spellings.filter((name) => !isInitials(name)).map((name) => `${namePattern(name)}${behind}`),
  ...spellings.filter(isInitials).map(initialsPattern),
].join('|');
