/** Parses coordinates as people type them and as maps, GPS receivers and phones write them. */

export interface Coordinates {
  /** Degrees, WGS84; north and east are positive. */
  readonly latitude: number;
  readonly longitude: number;
}

const number = String.raw`([+\-−]?\d{1,3}(?:\.\d+)?)\s*°?\s*`;
const decimalPair = new RegExp(`^\\s*${number}([NSEW])?\\s*[,;\\s]\\s*${number}([NSEW])?\\s*$`, 'i');

/** Degrees, minutes and seconds with any marks between them: `44° 6′ 9.7″`, `44 06.162`, `44:06:09.7`. */
const angle = String.raw`(\d{1,3}(?:[°º'’′"”″:\s]{1,4}\d{1,2}){0,2}(?:\.\d+)?)[°º'’′"”″\s]{0,4}`;
const lettersBehind = new RegExp(`^\\s*${angle}([NSEW])[,;\\s]*${angle}([NSEW])\\s*$`, 'i');
const lettersBefore = new RegExp(`^\\s*([NSEW])\\s*${angle}[,;]?\\s*([NSEW])\\s*${angle}$`, 'i');

/**
 * `44.1027, -71.8316`, `44.1027 N 71.8316 W`, `-100.5 44.1`: latitude comes first unless a letter or an absolute value
 * above 90 says otherwise. Two whole numbers are not accepted: they may be an APN. Degrees with minutes need letters:
 * `44°06'09.7"N 71°49'53.8"W`, `N44 06.162 W071 49.896`.
 * @returns null if the text is not a place
 */
export function parseCoordinates(text: string): Coordinates | null {
  const found = decimalPlace(text) ?? placeOfAngles(text);
  return found && Math.abs(found.latitude) <= 90 && Math.abs(found.longitude) <= 180 ? found : null;
}

function decimalPlace(text: string): Coordinates | null {
  const match = decimalPair.exec(text);
  if (!match) return null;
  const [, firstText = '', firstSide = '', secondText = '', secondSide = ''] = match;
  if (!firstText.includes('.') && !secondText.includes('.')) return null;
  const first = signed(firstText, firstSide);
  const second = signed(secondText, secondSide);
  const isSwapped = /[EW]/i.test(firstSide) || Math.abs(first) > 90;
  return isSwapped ? { latitude: second, longitude: first } : { latitude: first, longitude: second };
}

const signed = (text: string, side: string): number =>
  Number(text.replace('−', '-')) * (/[SW]/i.test(side) && !/^[-−]/.test(text) ? -1 : 1);

function placeOfAngles(text: string): Coordinates | null {
  const behind = lettersBehind.exec(text);
  const before = behind ? null : lettersBefore.exec(text);
  const [, a = '', b = '', c = '', d = ''] = behind ?? before ?? [];
  const [firstText, firstSide, secondText, secondSide] = behind ? [a, b, c, d] : [b, a, d, c];
  // Whole numbers alone may be a street of a grid: 45 N 30 W.
  if (!/\D/.test(firstText + secondText)) return null;
  const [first, second] = [degreesOf(firstText), degreesOf(secondText)];
  if (first === null || second === null || /[NS]/i.test(firstSide) === /[NS]/i.test(secondSide)) return null;
  const [north, east] = [first * signOf(firstSide), second * signOf(secondSide)];
  return /[NS]/i.test(firstSide) ? { latitude: north, longitude: east } : { latitude: east, longitude: north };
}

const signOf = (side: string): number => (/[SW]/i.test(side) ? -1 : 1);

/** Null without a number, or with 60 or more minutes or seconds. */
function degreesOf(text: string): number | null {
  const [degrees, minutes = 0, seconds = 0] = (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
  if (degrees === undefined || minutes >= 60 || seconds >= 60) return null;
  return degrees + minutes / 60 + seconds / 3600;
}
