/** Reads a GeoTIFF of heights window by window, since a county at one meter has a billion cells. */
import { fromFile, type GeoTIFF, type GeoTIFFImage } from 'geotiff';
import { lookAtFile } from '../importing/formats/bytes/byte-window.ts';
import { systemOfCode, systemOfText } from '../importing/formats/crs/reference-system.ts';
import { boundLerc, mostWindowBytes } from '../importing/formats/tiff/tiff-blocks.ts';
import { refuseDamagedDirectories } from '../importing/formats/tiff/tiff-directory.ts';
import { bytesWords } from '../spec/bytes-words.ts';
import { EngineError } from '../spec/errors.ts';
import { type LayerSettingField, layerSettingFields } from '../spec/layer-settings.ts';
import { type ElevationUnit, elevationUnitWords, metersPerElevationUnit } from './elevation-units.ts';
import type { EnrichmentSettings } from './enrichment-settings.ts';
import { PixelMap } from './pixel-map.ts';
import type { RasterWindow } from './terrain-sums.ts';

/** VerticalUnitsGeoKey and ProjLinearUnitsGeoKey, by EPSG. */
const unitCodes: Readonly<Record<number, ElevationUnit>> = { 9001: 'm', 9002: 'ft', 9003: 'us-ft' };
const unitNames: Readonly<Record<string, ElevationUnit>> = {
  m: 'm',
  metre: 'm',
  meter: 'm',
  ft: 'ft',
  foot: 'ft',
  'us-ft': 'us-ft',
  'us survey foot': 'us-ft',
  ussft: 'us-ft',
};
const unitField = layerSettingFields.find(({ name }) => name === 'elevationUnit') as LayerSettingField;
/** The GeoKey value for "user-defined". */
const userDefined = 32_767;
/** GTModelTypeGeoKey. */
const projectedModel = 1;
/** GTRasterTypeGeoKey: heights are at points, which are the cell centres. */
const pixelIsPoint = 2;

/** Plausible heights: from the Dead Sea to Everest, with a margin. */
const lowestMeters = -500;
const highestMeters = 9000;

/** Cells of one window. */
const windowCells = 1024 * 1024;

export interface RasterTile {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export class ElevationRaster {
  readonly width: number;
  readonly height: number;
  readonly pixels: PixelMap;
  readonly metersPerUnit: number;
  /** Assumptions, as sentences. */
  readonly notes: readonly string[];
  readonly #file: string;
  readonly #tiff: GeoTIFF;
  readonly #image: GeoTIFFImage;
  readonly #noData: number | null;
  readonly #scaling: Scaling;

  private constructor(
    file: string,
    tiff: GeoTIFF,
    image: GeoTIFFImage,
    known: { pixels: PixelMap; unit: ElevationUnit; scaling: Scaling; notes: readonly string[] },
  ) {
    this.#file = file;
    this.#tiff = tiff;
    this.#image = image;
    this.#noData = image.getGDALNoData();
    this.width = image.getWidth();
    this.height = image.getHeight();
    this.pixels = known.pixels;
    this.metersPerUnit = metersPerElevationUnit[known.unit];
    this.#scaling = known.scaling;
    this.notes = known.notes;
  }

  /** @throws EngineError file_missing; import_refused if it is not a GeoTIFF, is rotated, or has an unknown system */
  static async open(file: string, settings: EnrichmentSettings): Promise<ElevationRaster> {
    lookAtFile(file);
    refuseDamagedDirectories(file);
    const tiff = await openTiff(file);
    try {
      const image = await tiff.getImage();
      refuseSizes(image, file);
      await boundLerc(image);
      const notes: string[] = [];
      const pixels = pixelMapOf(image, file, settings);
      const unit = settings.elevationUnit ?? (await unitOf(image)) ?? assumedUnit(image, notes);
      return new ElevationRaster(file, tiff, image, { pixels, unit, scaling: await scalingOf(image, file), notes });
    } catch (error) {
      await tiff.close();
      throw damagedTiff(error, file);
    }
  }

  /** Tiles that cover the raster, chosen so that no strip or tile of the file is read twice. */
  *tiles(): Generator<RasterTile> {
    const isTiled = this.#image.isTiled;
    const across = isTiled ? multipleOf(this.#image.getTileWidth(), Math.sqrt(windowCells)) : this.width;
    const down = isTiled
      ? multipleOf(this.#image.getTileHeight(), Math.sqrt(windowCells))
      : Math.max(1, Math.floor(windowCells / this.width));
    for (let top = 0; top < this.height; top += down) {
      for (let left = 0; left < this.width; left += across) {
        const [right, bottom] = [Math.min(left + across, this.width), Math.min(top + down, this.height)];
        yield { left, top, right, bottom };
      }
    }
  }

  /** The heights of a tile and of one cell around it; NaN for no data. */
  async read({ left, top, right, bottom }: RasterTile): Promise<RasterWindow> {
    const [l, t] = [Math.max(left - 1, 0), Math.max(top - 1, 0)];
    const [r, b] = [Math.min(right + 1, this.width), Math.min(bottom + 1, this.height)];
    const found = await this.#image
      .readRasters({ window: [l, t, r, b], samples: [0], interleave: true })
      .catch((error: unknown) => Promise.reject(damagedTiff(error, this.#file)));
    const width = right - left + 2;
    const { scale, offset } = this.#scaling;
    const heights = new Float32Array(width * (bottom - top + 2)).fill(Number.NaN);
    for (let row = t; row < b; row++) {
      const from = (row - t) * (r - l);
      const to = (row - top + 1) * width + (l - left + 1);
      for (let column = 0; column < r - l; column++) {
        const stored = found[from + column] as number;
        const height = stored * scale + offset;
        heights[to + column] = stored === this.#noData || !this.#isHeight(height) ? Number.NaN : height;
      }
    }
    return { heights, width, left: left - 1, top: top - 1 };
  }

  /** Rejects no-data values of files that lost their no-data tag: -9999, -32768, 3.4e38. */
  #isHeight(height: number): boolean {
    const meters = height * this.metersPerUnit;
    return meters > lowestMeters && meters < highestMeters;
  }

  /** Whether the raster contains a place. @param place longitude and latitude */
  holds(place: Float64Array): boolean {
    const [column = Number.NaN, row = Number.NaN] = this.pixels.toCells(place);
    return column >= 0 && column < this.width && row >= 0 && row < this.height;
  }

  async close(): Promise<void> {
    await this.#tiff.close();
  }
}

/** The decoder meets what a damaged directory says as RangeError, TypeError and the like. */
const damagedTiff = (error: unknown, file: string): unknown =>
  error instanceof EngineError
    ? error
    : new EngineError(
        'import_refused',
        `${file}: the TIFF is damaged (${(error as Error).message}). Download it again.`,
        {
          cause: error,
        },
      );

/** The largest rasters of heights have some 200,000 columns. */
const maxSide = 2_000_000;
/** Cells of one tile or strip, which is decoded as a whole. */
const maxBlockCells = 64 * 1024 * 1024;

/** Before any of it is read: a damaged size would have gigabytes allocated. */
function refuseSizes(image: GeoTIFFImage, file: string): void {
  const [width, height] = [image.getWidth(), image.getHeight()];
  const block = image.getTileWidth() * image.getTileHeight();
  if (isSide(width) && isSide(height) && block > 0 && block <= maxBlockCells) {
    refuseWindows(image, file);
    return;
  }
  throw new EngineError(
    'import_refused',
    `${file}: expected a raster of at most ${maxSide} by ${maxSide} cells in tiles of at most ${maxBlockCells}, found ${width} by ${height} in tiles of ${block}.`,
  );
}

/** The blocks that a window touches are unpacked side by side. */
function refuseWindows(image: GeoTIFFImage, file: string): void {
  const blocksOf = (side: number, block: number): number =>
    Math.min(Math.ceil(side / block), Math.ceil(Math.sqrt(windowCells) / block) + 2);
  const [across, down] = [image.getTileWidth(), image.getTileHeight()];
  const together = blocksOf(image.getWidth(), across) * blocksOf(image.getHeight(), down);
  const bytes = together * across * down * image.getBytesPerPixel();
  if (bytes <= mostWindowBytes) return;
  throw new EngineError(
    'import_refused',
    `${file}: expected tiles or strips of which a part of the raster needs at most ${bytesWords(mostWindowBytes)}, found such of ${across} by ${down} cells, which need ${bytesWords(bytes)}. Write it again with tiles of 256 by 256 (gdal_translate -co TILED=YES).`,
  );
}

const isSide = (cells: number): boolean => Number.isInteger(cells) && cells > 0 && cells <= maxSide;

const multipleOf = (step: number, atLeast: number): number => step * Math.max(1, Math.round(atLeast / step));

async function openTiff(file: string): Promise<GeoTIFF> {
  try {
    return await fromFile(file);
  } catch (error) {
    throw new EngineError('import_refused', `${file}: expected a GeoTIFF of heights, found no TIFF.`, { cause: error });
  }
}

/** Agencies that map in feet measure heights in feet. */
function assumedUnit(image: GeoTIFFImage, notes: string[]): ElevationUnit {
  const unit = unitCodes[Number(image.getGeoKeys()?.ProjLinearUnitsGeoKey)] ?? 'm';
  const why = unit === 'm' ? '' : ', as its coordinates are';
  notes.push(
    `The file does not say the unit of its heights; they were taken as ${elevationUnitWords[unit]}${why}. If they are not, give “${unitField.label}” (elevationUnit: ${unitField.hint}).`,
  );
  return unit;
}

async function unitOf(image: GeoTIFFImage): Promise<ElevationUnit | null> {
  const byCode = unitCodes[Number(image.getGeoKeys()?.VerticalUnitsGeoKey)];
  if (byCode) return byCode;
  const metadata = (await image.getGDALMetadata(0)) ?? {};
  const named = Object.entries(metadata).find(([name]) => /^unit_?type$/i.test(name))?.[1];
  return (
    unitNames[
      String(named ?? '')
        .trim()
        .toLowerCase()
    ] ?? null
  );
}

/** Scale and offset of the first band, as GDAL writes them: height = stored · scale + offset. */
interface Scaling {
  readonly scale: number;
  readonly offset: number;
}

/** @throws EngineError import_refused if they are not numbers or the scale is 0 */
async function scalingOf(image: GeoTIFFImage, file: string): Promise<Scaling> {
  const metadata = (await image.getGDALMetadata(0)) ?? {};
  const [scale, offset] = [Number(metadata.SCALE ?? 1), Number(metadata.OFFSET ?? 0)];
  if (Number.isFinite(scale) && scale !== 0 && Number.isFinite(offset)) return { scale, offset };
  throw new EngineError(
    'import_refused',
    `${file}: expected numbers as scale and offset of the heights, found ${JSON.stringify(metadata.SCALE)} and ${JSON.stringify(metadata.OFFSET)}.`,
  );
}

function pixelMapOf(image: GeoTIFFImage, file: string, settings: EnrichmentSettings): PixelMap {
  const keys = image.getGeoKeys() ?? {};
  const system = settings.rasterSystem
    ? systemOfText(settings.rasterSystem, file)
    : systemOfCode(codeOf(keys, file), file);
  const { originX, originY, cellX, cellY } = placeOf(image, file);
  const half = Number(keys.GTRasterTypeGeoKey) === pixelIsPoint ? 0.5 : 0;
  const grid = {
    originX: originX - half * cellX,
    originY: originY - half * cellY,
    cellX,
    cellY,
    toWgs84: (coordinates: Float64Array) => system.toWgs84(coordinates),
  };
  return new PixelMap(grid, image.getWidth(), image.getHeight());
}

interface RasterPlace {
  /** The corner where columns and rows begin. */
  readonly originX: number;
  readonly originY: number;
  readonly cellX: number;
  /** Negative: rows run south. */
  readonly cellY: number;
}

/** Position by tie point and cell size, or by a matrix, whose row direction geotiff would get wrong. */
function placeOf(image: GeoTIFFImage, file: string): RasterPlace {
  const directory = image.getFileDirectory();
  const numbers = (tag: 'ModelPixelScale' | 'ModelTiepoint' | 'ModelTransformation') =>
    Array.from((directory.getValue(tag) as ArrayLike<number> | undefined) ?? [], Number);
  const [width = 0, height = 0] = numbers('ModelPixelScale');
  const tie = numbers('ModelTiepoint');
  const [column = 0, row = 0, , x = 0, y = 0] = tie;
  if (width > 0 && height > 0 && tie.length === 6) {
    return { originX: x - column * width, originY: y + row * height, cellX: width, cellY: -height };
  }
  const [cellX = 0, turnX = 0, , originX, turnY = 0, cellY = 0, , originY] = numbers('ModelTransformation');
  if (turnX !== 0 || turnY !== 0) {
    throw new EngineError(
      'import_refused',
      `${file}: the raster is turned against its system; warp it first (gdalwarp).`,
    );
  }
  if (originX !== undefined && originY !== undefined && cellX !== 0 && cellY !== 0) {
    return { originX, originY, cellX, cellY };
  }
  throw new EngineError('import_refused', `${file}: the raster does not say where it lies.`);
}

/** The EPSG code. A raster in its own projection also names a geographic system, which must not be used: it has no degrees. */
function codeOf(keys: ReturnType<GeoTIFFImage['getGeoKeys']> & object, file: string): number {
  const isProjected = keys.ProjectedCSTypeGeoKey !== undefined || Number(keys.GTModelTypeGeoKey) === projectedModel;
  const code = Number((isProjected ? keys.ProjectedCSTypeGeoKey : keys.GeographicTypeGeoKey) ?? userDefined);
  if (code > 0 && code !== userDefined) return code;
  throw new EngineError(
    'import_refused',
    `${file}: the raster does not name its coordinate system by an EPSG number. Name it (rasterSystem, as EPSG:26912).`,
  );
}
