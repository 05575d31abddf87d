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

/** `44,1027; -71,8316`: four digits behind the comma, so that no list of numbers is a place. */
const commaNumber = String.raw`[+\-−]?\d{1,3},\d{4,}\s*°?\s*[NSEW]?`;
const commaPair = new RegExp(`^\\s*${commaNumber}\\s*[,;\\s]\\s*${commaNumber}\\s*$`, 'i');

const degrees = String.raw`([+\-−]?\d{1,3}(?:\.\d+)?)`;
/** Where links of maps have a latitude and a longitude: the marked place first, then the middle of the map. */
const linkPairs = [
  `!3d${degrees}!4d${degrees}`,
  `[?&]mlat=${degrees}&mlon=${degrees}`,
  `[?&](?:q|ll|query|destination|daddr|center|sll|cp)=(?:loc:)?${degrees}(?:,|%2C|~)(?:\\+|%20)?${degrees}`,
  `/(?:search|place|dir/[^/]*)/${degrees},(?:\\+|%20)?${degrees}`,
  `#map=\\d+(?:\\.\\d+)?/${degrees}/${degrees}`,
  `@${degrees},${degrees}`,
].map((pair) => new RegExp(pair, 'i'));

/**
 * `44.1027, -71.8316`, `44.1027 N 71.8316 W`, `-100.5 44.1`: latitude comes first unless a letter or an absolute value
 * above 90 says otherwise. Two whole numbers are not accepted: they may be an APN. Degrees with minutes need letters:
 * `44°06'09.7"N 71°49'53.8"W`, `N44 06.162 W071 49.896`. Also `geo:44.1027,-71.8316`, links of maps, decimal commas.
 * @returns null if the text is not a place
 */
export function parseCoordinates(text: string): Coordinates | null {
  const found = linkedPlace(text.trim()) ?? decimalPlace(withPoints(text)) ?? placeOfAngles(text);
  return found && Math.abs(found.latitude) <= 90 && Math.abs(found.longitude) <= 180 ? found : null;
}

const withPoints = (text: string): string => (commaPair.test(text) ? text.replace(/(\d),(\d{4,})/g, '$1.$2') : text);

function linkedPlace(text: string): Coordinates | null {
  const isGeo = /^geo:/i.test(text);
  if (!isGeo && !/^(https?:\/\/|www\.|maps\.)\S+$/i.test(text)) return null;
  const pairs = isGeo ? [new RegExp(`^geo:${degrees},${degrees}`, 'i')] : linkPairs;
  for (const pair of pairs) {
    const [, latitude, longitude] = pair.exec(text) ?? [];
    if (latitude !== undefined && longitude !== undefined)
      return { latitude: signed(latitude, ''), longitude: signed(longitude, '') };
  }
  return null;
}

/** Around the contiguous states, Alaska, Hawaii, and Puerto Rico with the Virgin Islands: west, south, east, north. */
const unitedStates = [
  [-125, 24.3, -66.8, 49.5],
  [-180, 51, -129.9, 71.6],
  [-160.6, 18.8, -154.7, 22.4],
  [-68, 17.6, -64.5, 18.6],
] as const;

const isInUnitedStates = ({ latitude, longitude }: Coordinates): boolean =>
  unitedStates.some(
    ([west, south, east, north]) => longitude >= west && longitude <= east && latitude >= south && latitude <= north,
  );

/**
 * The place in the United States that was meant, if the longitude came first or lacks its minus.
 * @returns null if the place is there as it stands, or neither helps
 */
export function meantCoordinates(place: Coordinates): Coordinates | null {
  const { latitude, longitude } = place;
  if (isInUnitedStates(place)) return null;
  const swapped = { latitude: longitude, longitude: latitude };
  const western = (one: Coordinates) => ({ ...one, longitude: -Math.abs(one.longitude) });
  return [swapped, western(place), western(swapped)].find(isInUnitedStates) ?? null;
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
