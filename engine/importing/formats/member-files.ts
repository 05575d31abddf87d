/**
 * The files of a folder or zip as one source: Shapefiles from their parts, geodatabases as a whole, all others by
 * content.
 */
import path from 'node:path';
import { EngineError } from '../../spec/errors.ts';
import { gdalFormats } from '../../spec/import-formats.ts';
import { isPartOf } from './gdal/gdal-files.ts';
import { openFileGeodatabase } from './gdal/gdal-reader.ts';
import type { ParcelFeature } from './parcel-feature.ts';
import type { ParcelLayer, ParcelSource, ReadOptions } from './parcel-source.ts';
import { openShapefile } from './shapefile/shapefile-reader.ts';
import type { ZipMember } from './zip/zip-archive.ts';

export type Member = ZipMember;

/** @param members all files, among which its parts are */
export type OpenMember = (member: Member, options: ReadOptions, members: readonly Member[]) => ParcelSource;

interface MemberFolder {
  /** The folder or zip, for messages. */
  readonly place: string;
  readonly members: readonly Member[];
  /** Its paths mean nothing to the user: messages give the names instead. */
  readonly isTemporary: boolean;
  close(): void;
}

/** One file, or the files that form one, with its layers; opened on first use. */
interface Candidate {
  readonly name: string;
  /** With its extension and folders. */
  readonly fullName: string;
  /** The name that a file's own reader gives its only layer: that of the path. */
  readonly placeName: string;
  /** Only opening it shows whether it can hold parcels. */
  readonly isGuess: boolean;
  readonly open: () => ParcelSource;
}

interface LayerPlace {
  readonly name: string;
  readonly open: () => ParcelLayer;
}

/** Parts of Shapefiles, and files that accompany parcels. */
const companions =
  /\.(?:shx|dbf|prj|cpg|sbn|sbx|qix|qpj|fix|ain|aih|ixs|mxs|atx|xml|html?|pdf|txt|md|jpe?g|png|gif|tiff?|docx?|xlsx?|lyrx?|mxd|aprx|qgz|qml|qlr|ini|log|exe)$/i;
/** A part of a file that GDAL reads from several. */
const isPart = (member: Member, members: readonly Member[]): boolean =>
  gdalFormats.some(({ name, endings }) =>
    members.some(
      (main) =>
        endings.some((ending) => main.name.toLowerCase().endsWith(`.${ending}`)) && isPartOf(member, main, name),
    ),
  );

const geodatabase = /^(?:.*\/)?([^/]+\.gdb)\/[^/]+$/i;

export function openMembers(folder: MemberFolder, openMember: OpenMember, options: ReadOptions): ParcelSource {
  const opened: ParcelSource[] = [];
  const keep = (source: ParcelSource): ParcelSource => {
    opened.push(source);
    return source;
  };
  const close = () => {
    for (const source of opened) source.close();
    folder.close();
  };
  try {
    return relabelled(folder, () => {
      const candidates = findCandidates(folder, openMember, options);
      const layers = candidates.flatMap((candidate) => layersOf(candidate, candidates.length > 1, keep));
      if (layers.length === 0) throw nothingIn(folder);
      return {
        layerNames: layers.map(({ name }) => name),
        openLayer: (name) => openNamed(folder, layers, name),
        close,
      } satisfies ParcelSource;
    });
  } catch (error) {
    close();
    throw error;
  }
}

function openNamed(folder: MemberFolder, layers: readonly LayerPlace[], name: string): ParcelLayer {
  return relabelled(folder, () => {
    const place = layers.find((layer) => layer.name === name);
    if (!place) throw new EngineError('import_refused', `${folder.place}: it has no layer ${JSON.stringify(name)}.`);
    const layer = place.open();
    return {
      ...layer,
      name,
      system: () => relabelled(folder, layer.system),
      features: () => relabelledFeatures(folder, layer),
    };
  });
}

function* relabelledFeatures(folder: MemberFolder, layer: ParcelLayer): Generator<ParcelFeature> {
  try {
    yield* layer.features();
  } catch (error) {
    throw relabel(folder, error);
  }
}

function relabelled<Result>(folder: MemberFolder, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw relabel(folder, error);
  }
}

/** Rewrites `platbook-read-x/4.shp: …` as `county.zip (parcels.shp): …`. */
function relabel({ place, members, isTemporary }: MemberFolder, error: unknown): unknown {
  if (!isTemporary || !(error instanceof EngineError)) return error;
  let { message } = error;
  // Longer paths first: `…/1` is a part of `…/11`.
  for (const member of members.toSorted((a, b) => b.path.length - a.path.length)) {
    message = message.replaceAll(member.path, `${place} (${member.name})`);
    const part = geodatabase.exec(member.name);
    if (part) message = message.replaceAll(path.dirname(member.path), `${place} (${part[1]})`);
  }
  return message === error.message ? error : new EngineError(error.code, message, { cause: error });
}

function nothingIn({ place, members, isTemporary }: MemberFolder): EngineError {
  const names = members.slice(0, 5).map(({ name }) => name);
  const found = names.length === 0 ? 'nothing' : `${names.join(', ')}${members.length > 5 ? ', …' : ''}`;
  if (isTemporary)
    return new EngineError('import_refused', `${place}: expected a zip with a layer of parcels, found ${found}.`);
  return new EngineError('file_missing', `${place} is a folder without a layer of parcels; it holds ${found}.`);
}

function findCandidates({ members }: MemberFolder, openMember: OpenMember, options: ReadOptions): Candidate[] {
  const candidates: Candidate[] = [];
  const geodatabases = new Set<string>();
  for (const member of members) {
    const part = geodatabase.exec(member.name);
    if (part) {
      const whole = path.dirname(member.path);
      if (!geodatabases.has(whole)) {
        const name = (part[1] ?? '').replace(/\.gdb$/i, '');
        candidates.push({
          name,
          fullName: part[1] ?? '',
          placeName: '',
          isGuess: false,
          open: () => openFileGeodatabase(whole, options),
        });
      }
      geodatabases.add(whole);
    } else if (/\.shp$/i.test(member.name)) candidates.push(shapefileOf(member, members, options));
    else if (!companions.test(member.name) && !isPart(member, members)) {
      candidates.push({
        name: stemOf(member.name),
        fullName: member.name,
        placeName: stemOf(path.basename(member.path)),
        isGuess: true,
        open: () => openMember(member, options, members),
      });
    }
  }
  return candidates.length > 1 ? withDistinctNames(candidates.filter((candidate) => canOpen(candidate))) : candidates;
}

/** Full names tell parcels.gpkg and parcels.geojson apart. */
function withDistinctNames(candidates: readonly Candidate[]): Candidate[] {
  const isRepeated = (name: string) => candidates.filter((candidate) => candidate.name === name).length > 1;
  return candidates.map((candidate) =>
    isRepeated(candidate.name) ? { ...candidate, name: candidate.fullName } : candidate,
  );
}

/** Skips notes of any kind beside a layer; a lone file is refused with its own reason. */
function canOpen({ isGuess, open }: Candidate): boolean {
  if (!isGuess) return true;
  try {
    open().close();
    return true;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}

const stemOf = (name: string): string => path.posix.basename(name, path.posix.extname(name));

function shapefileOf(member: Member, members: readonly Member[], options: ReadOptions): Candidate {
  const stem = member.name.slice(0, -'.shp'.length).toLowerCase();
  const part = (ending: string): string | null =>
    members.find(({ name }) => name.toLowerCase() === `${stem}.${ending}`)?.path ?? null;
  const name = stemOf(member.name);
  const parts = { name, shp: member.path, shx: part('shx'), dbf: part('dbf'), prj: part('prj'), cpg: part('cpg') };
  const openLayer = () => openShapefile(parts, options);
  const open = (): ParcelSource => ({ layerNames: [name], openLayer, close: () => {} });
  return { name, fullName: member.name, placeName: name, isGuess: false, open };
}

/** If there are several files, one with a single layer goes by its own name, one with many layers by both names. */
function layersOf(
  candidate: Candidate,
  isOneOfMany: boolean,
  keep: (source: ParcelSource) => ParcelSource,
): LayerPlace[] {
  const source = keep(candidate.open());
  const { layerNames } = source;
  return layerNames.map((layer) => {
    const own = layerNames.length === 1 ? candidate.name : `${candidate.name}/${layer}`;
    const alone = layer === candidate.placeName ? candidate.name : layer;
    return { name: isOneOfMany ? own : alone, open: () => source.openLayer(layer) };
  });
}
