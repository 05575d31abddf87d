/** Words of names that are shortened where there is no room: a list that every plat book prints. */

/** The stated list, longest phrases first. */
export const shortWords: readonly (readonly [word: string, short: string])[] = [
  ['UNITED STATES OF AMERICA', 'USA'],
  ['LIMITED PARTNERSHIP', 'LP'],
  ['UNITED STATES', 'US'],
  ['NEW HAMPSHIRE', 'NH'],
  ['ADMINISTRATION', 'ADMIN'],
  ['ASSOCIATES', 'ASSOC'],
  ['ASSOCIATION', 'ASSN'],
  ['AUTHORITY', 'AUTH'],
  ['BROTHERS', 'BROS'],
  ['CEMETERY', 'CEM'],
  ['CHURCH', 'CH'],
  ['COMMISSION', 'COMM'],
  ['COMPANY', 'CO'],
  ['CONSERVATION', 'CONS'],
  ['CONSTRUCTION', 'CONSTR'],
  ['COOPERATIVE', 'COOP'],
  ['CORPORATION', 'CORP'],
  ['COUNTY', 'CO'],
  ['DEPARTMENT', 'DEPT'],
  ['DEVELOPMENT', 'DEV'],
  ['DISTRICT', 'DIST'],
  ['ENTERPRISES', 'ENT'],
  ['ESTATE', 'EST'],
  ['FAMILY', 'FAM'],
  ['FOUNDATION', 'FDN'],
  ['HEIRS', 'HRS'],
  ['HOLDINGS', 'HLDGS'],
  ['HOMEOWNERS', 'HMOWNRS'],
  ['INCORPORATED', 'INC'],
  ['INTERNATIONAL', 'INTL'],
  ['INVESTMENT', 'INV'],
  ['INVESTMENTS', 'INV'],
  ['IRREVOCABLE', 'IRREV'],
  ['LIMITED', 'LTD'],
  ['LIVING', 'LIV'],
  ['MANAGEMENT', 'MGMT'],
  ['MOUNTAIN', 'MTN'],
  ['MUNICIPAL', 'MUN'],
  ['NATIONAL', 'NATL'],
  ['PARTNERS', 'PTNRS'],
  ['PARTNERSHIP', 'PTNSHP'],
  ['PROPERTIES', 'PROP'],
  ['PROPERTY', 'PROP'],
  ['REALTY', 'RLTY'],
  ['REVOCABLE', 'REV'],
  ['SCHOOL', 'SCH'],
  ['SERVICE', 'SVC'],
  ['SERVICES', 'SVCS'],
  ['SOCIETY', 'SOC'],
  ['SUBDIVISION', 'SUBD'],
  ['TOWNSHIP', 'TWP'],
  ['TRUST', 'TR'],
  ['TRUSTEE', 'TTEE'],
  ['TRUSTEES', 'TTEES'],
  ['UNIVERSITY', 'UNIV'],
  ['AND', '&'],
];

const byWord = new Map(shortWords);
const phrases = shortWords.filter(([word]) => word.includes(' '));

/** The name by the stated list. */
export function abbreviated(name: string): string {
  const whole = phrases.reduce(
    (text, [phrase, short]) => ` ${text} `.replace(` ${phrase} `, ` ${short} `).trim(),
    name,
  );
  return whole
    .split(' ')
    .map((word) => {
      const [, letters = '', mark = ''] = /^(.*?)([,.]?)$/.exec(word) ?? [];
      const short = byWord.get(letters);
      return short === undefined ? word : `${short}${mark}`;
    })
    .join(' ');
}
