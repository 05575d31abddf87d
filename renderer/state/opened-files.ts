/** Files the user opened with the app or dropped on it: the import screen takes them from here. */
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { createStore } from './store.ts';

/** Files that hold a walk as well as parcels: which of both is wanted. */
interface WalkQuestion {
  readonly names: readonly string[];
  readonly answer: (isWalk: boolean) => void;
}

/** Photos that were dropped or chosen: being kept, then what is known of their places. */
export interface PhotoImport {
  readonly done: number;
  readonly of: number;
  readonly photos: readonly { readonly file: string; readonly name: string }[];
  /** Sentences about what is no photo. */
  readonly refused: readonly string[];
  /** Null while they are kept. */
  readonly plan: ReadOutputOf<'plan_photos'> | null;
}

/** Photos of the air that do not say their coordinate system, until the user does. */
interface UnplacedPhotos {
  readonly paths: readonly string[];
  /** What the first of them lacks, or what is wrong with the system that was named. */
  readonly words: string;
}

interface OpenedFiles {
  readonly paths: readonly string[];
  readonly asked: WalkQuestion | null;
  readonly photos: PhotoImport | null;
  readonly unplaced: UnplacedPhotos | null;
}

export const openedFiles = createStore<OpenedFiles>(null, { paths: [], asked: null, photos: null, unplaced: null });
