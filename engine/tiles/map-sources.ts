/** Lists the sources of the map with type, zooms, bounds, generation and attribution: what it needs before the first tile. */
import { type Bounds, unionOfBounds } from '../geo/geometry.ts';
import { type ListedImagery, listImagery } from '../imagery/list-imagery.ts';
import type { LayerLook } from '../spec/layer-titles.ts';
import { outlines } from '../store/county-outlines.ts';
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { boldEach } from '../terrain/interval.ts';
import { type ListedBasemap, listBasemaps } from './basemaps/list-basemaps.ts';
import { contourInterval, deepestContourZoom, leastContourZoom } from './contour-tile.ts';
import { countyPlaces } from './grid-cache.ts';
import { deepestHeightZoom, leastHeightZoom } from './height-tile.ts';
import { leastLayerZoom } from './layer-tile.ts';
import { lastOutlineZoom } from './outline-tile.ts';
import { deepestReliefZoom, leastReliefZoom } from './relief-tile.ts';
import { type DrawnLayer, drawnLayers } from './stored-layers.ts';
import { elevationWords, terrainGeneration, terrainsOf } from './terrain-source.ts';

/** west, south, east, north, in degrees */
type MapBounds = readonly [number, number, number, number];

interface Source {
  /** Source name for `getTile`. */
  readonly source: string;
  readonly type: 'vector' | 'raster';
  readonly minzoom: number;
  /** Deeper zooms show enlarged tiles of this zoom. */
  readonly maxzoom: number;
  /** Null if the source is empty or the file does not say. */
  readonly bounds: MapBounds | null;
  /** Changes whenever the tiles change. */
  readonly generation: string;
  /** Plain text; may be empty. */
  readonly attribution: string;
  /** Layers of a vector tile; empty if a base map does not say. */
  readonly layers: readonly string[];
}

interface LayerSource extends Source {
  readonly kind: string;
  readonly fips: string;
  /** A layer that is only drawn has its own; others have the name of the source file. */
  readonly title: string;
  /** How a layer that is only drawn looks; null for other kinds. */
  readonly look: LayerLook | null;
  /** `#rrggbb`, if the user gave one. */
  readonly color: string | null;
  /** Of most features. */
  readonly geometry: 'polygons' | 'lines' | 'points';
  /** Most frequent first. */
  readonly classes: readonly { readonly class: string | null; readonly features: number }[];
}

interface BaseSource extends Source {
  /** The name of its file, or of the photos. */
  readonly title: string;
  /** Pixels across a picture tile. */
  readonly tile_size: 256 | 512;
  /** Null for a file in the folder of base maps. */
  readonly photo: {
    readonly id: number;
    readonly flown: string | null;
    /** Who published it; empty if unknown. */
    readonly credit: string;
    readonly files: number;
    /** How much of the coarser levels is made, from 0 to 1. */
    readonly state: number;
    /** Names of files that are not where they were. */
    readonly missing: readonly string[];
  } | null;
}

/** The ground, from the kept heights. */
interface TerrainSources {
  readonly contours: Source & {
    /** Feet between two contours, by zoom from `minzoom` to `maxzoom`. */
    readonly intervals: readonly number[];
  };
  readonly relief: Source;
  /** Pictures of 256 pixels, in the encoding `terrarium`. */
  readonly heights: Source;
}

export interface MapSources {
  readonly parcels: Source;
  readonly comps: Source;
  readonly outlines: Source;
  /** Counties with parcels that have a shape. */
  readonly counties: readonly { readonly fips: string; readonly parcels: number; readonly bounds: MapBounds }[];
  readonly layers: readonly LayerSource[];
  /** Null without elevation. */
  readonly terrain: TerrainSources | null;
  readonly bases: readonly BaseSource[];
  /** Files in the folder of base maps that are not base maps. */
  readonly refused: readonly { readonly name: string; readonly why: string }[];
}

/** Parcels are exact to a decimetre at this zoom; deeper zooms enlarge it. */
const lastParcelZoom = 16;
const lastCompZoom = 14;
const lastLayerZoom = 16;

export function mapSources(home: string, land: LandStore): MapSources {
  const photos = photosOf(home, land);
  const { maps, refused } = basemapsOf(home, photos);
  const fromLand = land.file.snapshot(() => {
    const places = countyPlaces(land);
    const whole = unionOfBounds(places.map(({ bounds }) => bounds));
    return {
      parcels: parcelSource(land.file, whole && listed(whole)),
      comps: compSource(land.file),
      counties: places.flatMap(({ fips, count, bounds }) =>
        bounds ? [{ fips, parcels: count, bounds: listed(bounds) }] : [],
      ),
      layers: drawnLayers(land).map(layerSource),
    };
  });
  return {
    ...fromLand,
    outlines: outlineSource(),
    terrain: terrainSources(land),
    bases: [
      ...photos.flatMap((photo) => photoSource(photo, maps)),
      ...maps.filter(({ name, file }) => name !== file).map(baseSource),
    ],
    refused: refused.map(({ file, reason }) => ({ name: file, why: reason })),
  };
}

const parcelSource = (file: SqliteFile, bounds: MapBounds | null): Source => ({
  source: 'parcels',
  type: 'vector',
  minzoom: 0,
  maxzoom: lastParcelZoom,
  bounds,
  generation: parcelGeneration(file),
  attribution: '',
  layers: ['parcels', 'labels', 'density'],
});

const compSource = (file: SqliteFile): Source => ({
  source: 'comps',
  type: 'vector',
  minzoom: 0,
  maxzoom: lastCompZoom,
  bounds: compBounds(file),
  generation: compGeneration(file),
  attribution: '',
  layers: ['comps'],
});

const outlineSource = (): Source => ({
  source: 'outlines',
  type: 'vector',
  minzoom: 0,
  maxzoom: lastOutlineZoom,
  bounds: outlines().bounds,
  generation: outlines().source,
  attribution: 'Outlines: U.S. Census Bureau, 2017',
  layers: ['states', 'counties'],
});

function terrainSources(land: LandStore): TerrainSources | null {
  const terrains = terrainsOf(land);
  const whole = unionOfBounds(
    terrains.map(({ west, south, east, north }) => ({ minX: west, minY: south, maxX: east, maxY: north })),
  );
  if (whole === null) return null;
  const shared = {
    bounds: listed(whole),
    generation: terrainGeneration(land),
    attribution: elevationWords(land),
  };
  const zooms = Array.from({ length: deepestContourZoom - leastContourZoom + 1 }, (_, at) => leastContourZoom + at);
  return {
    contours: {
      ...{ source: 'contours', type: 'vector', minzoom: leastContourZoom, maxzoom: deepestContourZoom, ...shared },
      layers: ['contours'],
      intervals: zooms.map((zoom) => contourInterval(land, zoom) * (zoom === leastContourZoom ? boldEach : 1)),
    },
    relief: {
      ...{ source: 'relief', type: 'raster', minzoom: leastReliefZoom, maxzoom: deepestReliefZoom, ...shared },
      layers: [],
    },
    heights: {
      ...{ source: 'heights', type: 'raster', minzoom: leastHeightZoom, maxzoom: deepestHeightZoom, ...shared },
      layers: [],
    },
  };
}

const layerSource = ({ layerId, kind, fips, title, sourceName, sourceDate, ...layer }: DrawnLayer): LayerSource => ({
  source: `layer-${layerId}`,
  type: 'vector',
  minzoom: leastLayerZoom,
  maxzoom: lastLayerZoom,
  attribution: `${sourceName}, ${sourceDate}`,
  layers: ['features', 'names'],
  kind,
  fips,
  title: title || sourceName,
  ...layer,
});

const baseSource = ({ name, file, generation, map }: ListedBasemap): BaseSource => ({
  source: `base-${name}`,
  type: map.type,
  minzoom: map.minZoom,
  maxzoom: map.maxZoom,
  bounds: map.bounds,
  generation,
  attribution: map.attribution ?? '',
  layers: map.layers,
  title: file,
  tile_size: map.tileSize,
  photo: null,
});

/** An unreadable file holds no photos: `platbook check` names it. */
export function photosOf(home: string, land: LandStore): readonly ListedImagery[] {
  try {
    return listImagery(home, land.imagery);
  } catch {
    return [];
  }
}

export const basemapsOf = (home: string, photos: readonly ListedImagery[]) =>
  listBasemaps(
    home,
    photos.flatMap(({ tiles }) => tiles ?? []),
  );

/** None for a file of tiles that cannot be read now: `refused` names it. */
function photoSource(photo: ListedImagery, maps: readonly ListedBasemap[]): BaseSource[] {
  const { imagery_id: id, title, flown, credit, files, state, missing, bounds, tiles } = photo;
  const map = maps.find(({ file }) => file === tiles)?.map;
  if (tiles !== null && map === undefined) return [];
  return [
    {
      source: `photo-${id}`,
      type: map?.type ?? 'raster',
      minzoom: map?.minZoom ?? photo.minZoom,
      maxzoom: map?.maxZoom ?? photo.maxZoom,
      bounds,
      generation: photo.generation,
      attribution: [flown === null ? '' : `Flown ${flown}`, credit || (map?.attribution ?? '')]
        .filter(Boolean)
        .join(' · '),
      layers: map?.layers ?? [],
      title,
      tile_size: map?.tileSize ?? 512,
      photo: { id, flown, credit, files, state, missing },
    },
  ];
}

const listed = ({ minX, minY, maxX, maxY }: Bounds): MapBounds => [minX, minY, maxX, maxY];

/** SpatiaLite's times of the last writes. Its triggers set them, also in QGIS, and each import ends with such a write. */
const parcelGeneration = (file: SqliteFile): string =>
  file.get<{ times: string }>(
    `SELECT concat_ws(' ', last_insert, last_update, last_delete) AS times FROM geometry_columns_time
     WHERE f_table_name = 'parcels' AND f_geometry_column = 'geom'`,
  )?.times ?? '';

/** Generations of counties only rise. */
const compGeneration = (file: SqliteFile): string =>
  String(file.get<{ sum: number }>('SELECT total(generation) AS sum FROM comp_generations')?.sum ?? 0);

function compBounds(file: SqliteFile): MapBounds | null {
  const [row] = file.rawRows('SELECT min(min_lon), min(min_lat), max(max_lon), max(max_lat) FROM comps_index');
  const [west = null, south = null, east = null, north = null] = (row ?? []) as (number | null)[];
  return west === null || south === null || east === null || north === null ? null : [west, south, east, north];
}
