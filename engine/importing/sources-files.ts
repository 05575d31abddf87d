/** Where public data is: names and addresses from data/sources.json, filled in for a county. Downloads nothing. */
import fs from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../package-root.ts';

interface FileRow {
  /** With placeholders `{fips}`, `{state}` (two digits), `{ST}`, `{State}` (its name without blanks) and `{tile}`. */
  readonly name: string;
  readonly url: string;
  readonly publisher: string;
  readonly docs: string;
}

export interface SourceRow {
  readonly kind: string;
  /** For a layer, the title of its kind (spec/layer-titles.ts). */
  readonly title?: string;
  readonly docs: string;
  readonly files: readonly FileRow[];
  /** The command to run once the file is there. */
  readonly command: string;
}

interface StateRow {
  readonly fips: string;
  readonly name: string;
  /** The state's own program of parcels; absent: counties publish theirs. */
  readonly parcels?: {
    readonly publisher: string;
    readonly url: string;
    readonly profile?: string;
    readonly note?: string;
  };
}

interface SourceTable {
  readonly kinds: readonly SourceRow[];
  readonly states: Readonly<Record<string, StateRow>>;
}

export const readSourceTable = (): SourceTable =>
  JSON.parse(fs.readFileSync(path.join(packageRoot, 'data', 'sources.json'), 'utf8')) as SourceTable;

export interface PublicFile {
  readonly name: string;
  readonly url: string;
  readonly publisher: string;
  readonly docs: string;
}

/** West, south, east, north in degrees. */
export type Box = readonly [number, number, number, number];

const maxTiles = 12;
const degrees = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(Math.floor(to) - Math.floor(from) + 1, 0) }, (_, step) => Math.floor(from) + step);

/**
 * Names like `n44w073`: the whole degrees of each tile's north-west corner. Empty if the place is unknown or too wide.
 */
export function elevationTiles(box: Box | null): string[] {
  if (box === null) return [];
  const [west, south, east, north] = box;
  const tiles = degrees(south, north).flatMap((latitude) =>
    degrees(west, east).map((longitude) => {
      const side = longitude < 0 ? `w${String(-longitude).padStart(3, '0')}` : `e${String(longitude).padStart(3, '0')}`;
      return `n${String(latitude + 1).padStart(2, '0')}${side}`;
    }),
  );
  return tiles.length <= maxTiles ? tiles : [];
}

interface CountyPlace {
  readonly fips: string;
  /** Two letters. */
  readonly state: string;
  /** The box of the loaded parcels; null while there are none. */
  readonly box: Box | null;
}

/** The files of one kind for a county; elevation has one for each degree the county touches. */
export function filesFor({ kind, files }: SourceRow, county: CountyPlace, { states }: SourceTable): PublicFile[] {
  const state = states[county.state];
  const program = kind === 'parcels' ? state?.parcels : undefined;
  const own = program
    ? [
        {
          name: `parcels of ${state?.name ?? county.state}`,
          url: program.url,
          publisher: program.publisher,
          docs: [program.note ?? '', program.profile ? `Profile: ${program.profile}.` : ''].filter(Boolean).join('. '),
        },
      ]
    : [];
  const tiles = elevationTiles(county.box);
  const filled = files.flatMap((file) =>
    file.name.includes('{tile}') && tiles.length > 0
      ? tiles.map((tile) => fill(file, county, state, tile))
      : [
          file.name.includes('{tile}')
            ? unknownTile(fill(file, county, state, 'nNNwWWW'))
            : fill(file, county, state, ''),
        ],
  );
  return [...own, ...filled];
}

const unknownTile = (file: PublicFile): PublicFile => ({
  ...file,
  docs: `${file.docs} Once the county's parcels are loaded, the file names appear here.`,
});

function fill(file: FileRow, { fips, state }: CountyPlace, row: StateRow | undefined, tile: string): PublicFile {
  const names: Readonly<Record<string, string>> = {
    fips,
    state: fips.slice(0, 2),
    ST: state,
    State: (row?.name ?? state).replaceAll(' ', ''),
    tile,
  };
  const complete = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole);
  return { ...file, name: complete(file.name), url: complete(file.url), docs: complete(file.docs) };
}
