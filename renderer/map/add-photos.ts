/** Adds photos of the air by their place on this computer: from a drop, from Import, from the layers. */
import type { JobStatus } from '../../engine/work/import-answers.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { refreshJobs } from '../import/use-jobs.ts';
import { goTo } from '../state/navigation.ts';
import { toast } from '../state/toasts.ts';
import { mapMemory } from './map-state.ts';

/** Also endings of photos that are refused: the refusal says how to convert them. */
export const photoEnding = /\.(?:tiff?|jpe?g|png|jp2|j2k|sid|ecw|mbtiles|pmtiles)$/i;

/** Some of these may be photos of a camera, or heights, which are a layer. A path without an ending may be a folder of them. */
const mayBeOther = /\.(?:tiff?|jpe?g|png)$/i;
const hasEnding = /\.[^/\\]*$/;

export async function isPhoto(client: EngineClient, path: string): Promise<boolean> {
  const isUnclear = mayBeOther.test(path) || !hasEnding.test(path);
  if (!isUnclear) return photoEnding.test(path);
  const { kind } = await client.read('imagery_kind', { path });
  // A damaged TIFF is told so by its own import.
  return kind === 'photo' || (kind === 'unknown' && /\.tiff?$/i.test(path));
}

/** Shows the map over its photos; the job's progress stands in the status bar. */
export async function addPhotos(client: EngineClient, paths: readonly string[]): Promise<void> {
  try {
    await client.change('add_imagery', { paths: [...paths] });
    await refreshJobs();
    if (mapMemory.get().look === 'map') mapMemory.set({ look: 'photo', photo: null });
    goTo('explore');
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}

/** Photos are drawn as soon as they are listed, and sharpen while their job runs. */
export const isOfPhotos = ({ kind }: Pick<JobStatus, 'kind'>): boolean => kind.endsWith('_imagery');
