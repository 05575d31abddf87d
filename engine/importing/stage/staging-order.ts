/** Messages between an import and the threads that stage its rows. */
import type { MessagePort } from 'node:worker_threads';
import type { PageSpace } from '../../store/table-pages.ts';
import type { FeaturePosition } from '../formats/parcel-feature.ts';
import type { LayerElsewhere, Share } from '../formats/parcel-source.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { StoredValue } from '../values/convert-value.ts';
import type { PlaceSummary } from './expect-place.ts';
import type { ImportProblem, ReadingCounts } from './import-report.ts';
import type { StagedLeaves } from './staged-parcels.ts';

/** The input of a thread. */
export interface StagingOrder {
  readonly layer: LayerElsewhere;
  /** The file's name, for problems. */
  readonly name: string;
  readonly share: Share;
  readonly space: PageSpace;
  /** Null: columns are read by the dictionary's names. */
  readonly mapping: Mapping | null;
  readonly date: string;
  readonly latestDate: string;
  readonly state: string;
  /** Messages are posted there before `news` is woken. */
  readonly port: MessagePort;
  /** Numbers by `slots`. */
  readonly shared: Int32Array;
}

/** Indexes of the shared numbers. */
export const slots = {
  /** Incremented with each message of any thread. */
  news: 0,
  /** 1: all further work will be discarded. */
  stop: 1,
  /** Number of threads that have stopped writing. */
  ended: 2,
  /** From here on, for each thread: the number of its messages taken. */
  taken: 3,
} as const;

export type StagingNews =
  /** Adjacent rows of the file; a thread's turns rise. */
  | {
      readonly type: 'turn';
      readonly turn: number;
      readonly counts: ReadingCounts;
      readonly problems: readonly ImportProblem[];
      /** Position of the last row. */
      readonly position: FeaturePosition;
    }
  | {
      readonly type: 'end';
      readonly leaves: StagedLeaves;
      readonly zips: readonly StoredValue[];
      readonly places: PlaceSummary;
      readonly known: readonly number[];
    }
  | { readonly type: 'failed' };
