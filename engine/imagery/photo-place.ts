/**
 * Where a photo lies: from its own tags, a world file, or what GDAL writes beside it (.aux.xml); its coordinate system from
 * the user, its keys, a .prj or the .aux.xml.
 */
import fs from 'node:fs';
import path from 'node:path';
import { systemOfText } from '../importing/formats/crs/reference-system.ts';
import type { TiffTags } from '../importing/formats/tiff/tiff-directory.ts';
import { readPlainText } from '../plain-file.ts';
import { EngineError } from '../spec/errors.ts';
import type { Affine, PhotoPlace } from './photo.ts';

const tag = { scale: 33550, tie: 33922, matrix: 34264, keys: 34735, texts: 34737 };
const key = { model: 1024, raster: 1025, degrees: 2048, plane: 3072, planeText: 3073 };
const userDefined = 32_767;
const pixelIsPoint = 2;
const mostTextBytes = 1024 * 1024;

/** @param tags null for a picture without any. @throws EngineError import_refused if a part is missing */
export function placeOf(filePath: string, tags: TiffTags | null, crs: string | undefined): PhotoPlace {
  const beside = textsBeside(filePath);
  const keys = tags === null ? new Map<number, number | string>() : geoKeys(tags);
  const affine =
    (tags && ownAffine(tags, keys.get(key.raster) === pixelIsPoint)) ??
    auxAffine(beside.aux) ??
    worldAffine(beside.world);
  if (affine === null) {
    throw new EngineError(
      'import_refused',
      isTiedByPoints(tags)
        ? `${filePath}: it is tied to the ground by single points; warp it first: gdalwarp ${JSON.stringify(filePath)} warped.tif`
        : `${filePath}: expected a photo that says where it lies, found neither tags for it nor a world file (${worldEnding(filePath)}) beside it.`,
    );
  }
  const system = crs ?? crsOfKeys(keys) ?? beside.prj ?? auxSystem(beside.aux);
  if (system === null) {
    throw new EngineError(
      'import_refused',
      `${filePath}: it does not say its coordinate system. Name it (--crs EPSG:…), or put its .prj beside it.`,
    );
  }
  // Refused now, not by the first tile.
  systemOfText(system, filePath);
  return { affine, crs: system };
}

const isTiedByPoints = (tags: TiffTags | null): boolean => (tags?.numbers(tag.tie).length ?? 0) > 6;

function ownAffine(tags: TiffTags, isPoint: boolean): Affine | null {
  // The values of a point are at the middle of its pixel.
  const half = isPoint ? 0.5 : 0;
  const [width = 0, height = 0] = tags.numbers(tag.scale);
  const tie = tags.numbers(tag.tie);
  const [column = 0, row = 0, , x = 0, y = 0] = tie;
  if (width !== 0 && height !== 0 && tie.length === 6)
    return [width, 0, x - (column + half) * width, 0, -height, y + (row + half) * height];
  const [a, b, , c, d, e, , f] = tags.numbers(tag.matrix);
  if (a === undefined || b === undefined || c === undefined || d === undefined || e === undefined || f === undefined)
    return null;
  return [a, b, c - half * (a + b), d, e, f - half * (d + e)];
}

function geoKeys(tags: TiffTags): Map<number, number | string> {
  const words = tags.numbers(tag.keys);
  const texts = tags.text(tag.texts);
  const found = new Map<number, number | string>();
  for (let at = 4; at + 3 < words.length; at += 4) {
    const [name = 0, where = 0, count = 0, value = 0] = words.slice(at, at + 4);
    if (where === 0) found.set(name, value);
    if (where === tag.texts) found.set(name, texts.slice(value, value + count - 1));
  }
  return found;
}

/** A raster in a plane also names its degrees, which it does not have. */
function crsOfKeys(keys: ReadonlyMap<number, number | string>): string | null {
  const code = Number(
    keys.get(keys.has(key.plane) || keys.get(key.model) === 1 ? key.plane : key.degrees) ?? userDefined,
  );
  if (code > 0 && code !== userDefined) return `EPSG:${code}`;
  const esri = /ESRI PE String = (.*)$/s.exec(String(keys.get(key.planeText) ?? ''))?.[1];
  return esri?.trim() || null;
}

interface Beside {
  readonly world: string | null;
  readonly prj: string | null;
  readonly aux: string | null;
}

function textsBeside(filePath: string): Beside {
  const folder = path.dirname(filePath);
  const names = new Map(fs.readdirSync(folder).map((name) => [name.toLowerCase(), name]));
  const base = path.basename(filePath);
  const stem = base.slice(0, base.length - path.extname(base).length);
  const read = (...wanted: string[]): string | null => {
    const name = wanted.map((each) => names.get(each.toLowerCase())).find((each) => each !== undefined);
    return name === undefined ? null : readPlainText(path.join(folder, name), mostTextBytes);
  };
  return {
    world: read(`${stem}${worldEnding(base)}`, `${stem}${path.extname(base)}w`, `${base}w`, `${stem}.wld`),
    prj: read(`${stem}.prj`),
    aux: read(`${base}.aux.xml`, `${stem}.aux.xml`),
  };
}

/** Whether a picture has its place beside it; a photo of a camera has none. */
export function hasPlaceBeside(filePath: string): boolean {
  const { world, aux } = textsBeside(filePath);
  return world !== null || aux !== null;
}

const worldEnding = (filePath: string): string => {
  const ending = path.extname(filePath).slice(1);
  return `.${ending[0] ?? 't'}${ending.at(-1) ?? 'f'}w`;
};

/** Six lines; the last two are the middle of the first pixel. */
function worldAffine(text: string | null): Affine | null {
  const values = (text ?? '')
    .trim()
    .split(/\s+/)
    .map((each) => Number(each.replace(',', '.')));
  const [a, d, b, e, x, y] = values;
  if (values.length < 6 || values.slice(0, 6).some((each) => !Number.isFinite(each))) return null;
  if (a === undefined || b === undefined || d === undefined || e === undefined || x === undefined || y === undefined)
    return null;
  return [a, b, x - (a + b) / 2, d, e, y - (d + e) / 2];
}

function auxAffine(aux: string | null): Affine | null {
  const values = (/<GeoTransform>([^<]*)</.exec(aux ?? '')?.[1] ?? '').split(',').map(Number);
  const [c, a, b, f, d, e] = values;
  if (values.length !== 6 || values.some((each) => !Number.isFinite(each))) return null;
  return [a as number, b as number, c as number, d as number, e as number, f as number];
}

const auxSystem = (aux: string | null): string | null => {
  const text = /<SRS[^>]*>([^<]*)</.exec(aux ?? '')?.[1]?.trim();
  return text
    ? text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    : null;
};
