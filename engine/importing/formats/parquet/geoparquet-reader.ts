/**
 * Reads GeoParquet (https://geoparquet.org), a file or a folder of parts of any size. Pages are decoded by hyparquet's
 * synchronous parts; what is read, and how much of it, is decided here.
 */
import path from 'node:path';
import type { ParcelFeature } from '../parcel-feature.ts';
import type { FileBounds, LayerColumn, OtherRows, ParcelLayer, ReadOptions } from '../parcel-source.ts';
import { countyCode } from './county-groups.ts';
import { refusal } from './parquet-damage.ts';
import { openPart, type ParquetPart } from './parquet-part.ts';
import { chooseCounty, type Reading, readRows } from './part-rows.ts';

/** `PARE` has an encrypted footer, which is refused by name. */
export const isParquet = (head: Buffer): boolean => /^PAR[1E]/.test(head.toString('latin1', 0, 4));

export const openGeoParquet = (filePath: string, options: ReadOptions): ParcelLayer =>
  openParts(filePath, [{ path: filePath, keys: {} }], options);

/** A part of a folder, with what its folders say: `county=20163`. */
export interface PartPlace {
  readonly path: string;
  readonly keys: Readonly<Record<string, string>>;
}

/** Beyond it the rows of a folder are not counted before they are read. */
const countedParts = 100;

/** @param place file or folder, for messages and the layer's name */
export function openParts(place: string, parts: readonly PartPlace[], options: ReadOptions): ParcelLayer {
  const chosen = options.county === undefined ? parts : partsOfCounty(parts, options.county);
  const [first] = chosen.length > 0 ? chosen : parts;
  if (first === undefined) throw refusal(place, 'expected files of GeoParquet, found none');
  const opened = openPart(first.path);
  const counted =
    chosen.length <= countedParts ? [opened, ...chosen.slice(1).map((part) => openPart(part.path))] : null;
  const system = () => opened.geometry.system(options);
  const others: Others = { rows: 0, files: parts.length - chosen.length, by: new Set() };
  return {
    name: path.basename(place, path.extname(place)),
    format: 'geoparquet',
    columns: columnsOf(opened, first),
    rowCount: counted?.reduce((sum, { rows }) => sum + rows, 0) ?? null,
    bounds: counted && boundsOf(counted, options),
    encoding: ['UTF-8', ...leftOutWords(opened)].join('; '),
    system,
    features: () => readParts(chosen, options, others),
    otherRows: () => (others.rows + others.files > 0 ? { ...others, by: [...others.by].join(' and ') } : null),
  };
}

interface Others extends Omit<OtherRows, 'by' | 'rows'> {
  rows: number;
  readonly by: Set<string>;
}

function columnsOf({ columns }: ParquetPart, { keys }: PartPlace): LayerColumn[] {
  const own = columns.map(({ name, kind }): LayerColumn => ({ name, type: kind.type }));
  return [...own, ...addedKeys(keys, columns).map(([name]): LayerColumn => ({ name, type: 'text' }))];
}

/** What a part's folders say and the file does not. */
const addedKeys = (keys: PartPlace['keys'], columns: ParquetPart['columns']): [string, string][] =>
  Object.entries(keys).filter(([key]) => !columns.some(({ name }) => name === key));

const leftOutWords = ({ leftOut }: ParquetPart): string[] =>
  leftOut.length === 0 ? [] : [`${leftOut.length} columns of lists or other shapes left out: ${leftOut.join(', ')}`];

/** Without those whose folders name another county. */
export const partsOfCounty = (parts: readonly PartPlace[], fips: string): readonly PartPlace[] =>
  parts.filter(({ keys }) => !namesOther(keys, fips));

const namesOther = (keys: PartPlace['keys'], fips: string): boolean => {
  const code = countyCode(keys.county ?? keys.fips ?? keys.county_fips);
  return code !== null && code !== fips;
};

/** The box around all parts, if each has its own. Degrees and feet do not mix. */
function boundsOf(parts: readonly ParquetPart[], options: ReadOptions): FileBounds | null {
  const [first, ...rest] = parts.map(({ geometry: { bounds } }) => bounds);
  if (rest.length === 0 || first === undefined || first === null) return rest.length === 0 ? (first ?? null) : null;
  const names = new Set(parts.map(({ geometry }) => geometry.system(options).name));
  if (names.size > 1 || rest.includes(null)) return null;
  return (rest as FileBounds[]).reduce<FileBounds>(
    (all, one) => [
      Math.min(all[0], one[0]),
      Math.min(all[1], one[1]),
      Math.max(all[2], one[2]),
      Math.max(all[3], one[3]),
    ],
    first,
  );
}

function* readParts(parts: readonly PartPlace[], options: ReadOptions, others: Others): Generator<ParcelFeature> {
  let before = 0;
  others.rows = 0;
  for (const place of parts) {
    const part = openPart(place.path);
    const added = addedKeys(place.keys, part.columns);
    for (const { row, geometry, properties } of readRows(part, readingOf(part, options, others))) {
      for (const [key, value] of added) properties[key] = value;
      yield { geometry, properties, position: { row: before + row, byteOffset: 0 } };
    }
    before += part.rows;
  }
}

function readingOf(part: ParquetPart, options: ReadOptions, others: Others): Reading {
  const { county: fips } = options;
  const system = part.geometry.system(options);
  const choice = fips === undefined ? null : chooseCounty(part, fips, system);
  const told = choice?.column ? `the column ${choice.column.name}` : 'the outline of the county, which may be 2 km off';
  if (choice) others.by.add(told);
  const onOthers = (rows: number) => {
    others.rows += rows;
  };
  return { system, county: fips === undefined || choice === null ? null : { fips, choice }, onOthers };
}
