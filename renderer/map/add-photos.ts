/** Adds photos of the air by their place on this computer: from a drop, from Import, from the layers. */
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import type { JobStatus } from '../../engine/work/import-answers.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { refreshJobs } from '../import/use-jobs.ts';
import { goTo } from '../state/navigation.ts';
import { openedFiles } from '../state/opened-files.ts';
import { toast } from '../state/toasts.ts';
import { mapMemory } from './map-state.ts';

/** Also endings of photos that are refused: the refusal says how to convert them. */
export const photoEnding = /\.(?:tiff?|jpe?g|png|jp2|j2k|sid|ecw|mbtiles|pmtiles)$/i;

/** Some of these may be photos of a camera, or heights, which are a layer. A path without an ending may be a folder of them. */
const mayBeOther = /\.(?:tiff?|jpe?g|png)$/i;
const hasEnding = /\.[^/\\]*$/;

const kindOf = (client: EngineClient, path: string, crs?: string): Promise<ReadOutputOf<'imagery_kind'>> =>
  client.read('imagery_kind', { path, ...(crs === undefined ? {} : { crs }) });

export async function isPhoto(client: EngineClient, path: string): Promise<boolean> {
  const isUnclear = mayBeOther.test(path) || !hasEnding.test(path);
  if (!isUnclear) return photoEnding.test(path);
  const { kind } = await kindOf(client, path);
  // A damaged TIFF is told so by its own import.
  return kind === 'photo' || (kind === 'unknown' && /\.tiff?$/i.test(path));
}

/** Shows the map over its photos; the job's progress stands in the status bar. Asks for a coordinate system that is missing. */
export async function addPhotos(client: EngineClient, paths: readonly string[], crs?: string): Promise<void> {
  try {
    const kinds = await Promise.all(paths.map((path) => kindOf(client, path, crs)));
    const lacking = paths.filter((_, at) => kinds[at]?.needs_crs);
    const words = kinds.find(({ needs_crs: needs }) => needs)?.words ?? '';
    openedFiles.set({ unplaced: lacking.length > 0 ? { paths: lacking, words } : null });
    const ready = paths.filter((path) => !lacking.includes(path));
    if (ready.length === 0) return;
    await client.change('add_imagery', { paths: ready, ...(crs === undefined ? {} : { crs }) });
    await refreshJobs();
    if (mapMemory.get().look === 'map') mapMemory.set({ look: 'photo', photo: null });
    goTo('explore');
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}

/** Photos are drawn as soon as they are listed, and sharpen while their job runs. */
export const isOfPhotos = ({ kind }: Pick<JobStatus, 'kind'>): boolean => kind.endsWith('_imagery');
