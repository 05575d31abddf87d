/** The engine's words for the window: files by their names, controls in place of options of the command line. */
import { fileName, importing } from './import-state.ts';

/** What stands in the window for an option; null: nothing, so that its sentence goes. */
const controls: Readonly<Record<string, string | null>> = {
  accounts: '“Rows without a parcel”',
  anyway: 'by “Use it all the same”',
  anywhere: null,
  county: '“County”',
  'county-column': '“Column that names the county”',
  crs: '“Coordinate system”',
  where: '“Rows where”',
  date: '“Date of the data”',
  'header-row': '“They stand in row”',
  join: 'chosen beside it',
  'join-key': null,
  'join-rows': '“If a parcel finds several rows”',
  jurisdiction: '“Town”',
  layer: '“Layer”',
  replace: '“Replace it”',
  settings: 'below',
  'without-shapes': '“Its rows are parcels without shapes”',
};

/** An option, and a value in quotes after it. */
const option = /--([a-z]+(?:-[a-z]+)*)(?: '[^']*')?/g;
const pathAtStart = /^(?:[A-Za-z]:)?[\\/][^:]*[\\/](?=[^:\\/]+:\s)/;

export function windowWords(message: string): string {
  const named = importing
    .get()
    .chosen.reduce((text, path) => text.replaceAll(path, fileName(path)), message)
    .replace(pathAtStart, '');
  const sentences = named.split(/(?<=[.?!])\s+(?=[A-Z“])/);
  return sentences
    .filter((sentence) => ![...sentence.matchAll(option)].some(([, name = '']) => controls[name] === null))
    .join(' ')
    .replace(option, (whole, name: string) => controls[name] ?? whole);
}
