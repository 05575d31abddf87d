/** What is said between an import and the threads that stage its rows. */
import type { MessagePort } from 'node:worker_threads';
import type { PageSpace } from '../../store/table-pages.ts';
import type { FeaturePosition } from '../formats/parcel-feature.ts';
import type { LayerElsewhere, Share } from '../formats/parcel-source.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { StoredValue } from '../values/convert-value.ts';
import type { PlaceSummary } from './expect-place.ts';
import type { ImportProblem, ReadingCounts } from './import-report.ts';
import type { StagedLeaves } from './staged-parcels.ts';

/** What a thread is given. */
export interface StagingOrder {
  readonly layer: LayerElsewhere;
  /** Of the file, as problems name it. */
  readonly name: string;
  readonly share: Share;
  readonly space: PageSpace;
  /** Null: columns named as in the dictionary are read. */
  readonly mapping: Mapping | null;
  readonly date: string;
  readonly latestDate: string;
  readonly state: string;
  /** News go there before `news` is woken. */
  readonly port: MessagePort;
  /** Numbers by `slots`. */
  readonly shared: Int32Array;
}

/** Places in the shared numbers. */
export const slots = {
  /** Rises with each message of whichever thread. */
  news: 0,
  /** 1: nothing that is done from now on will be used. */
  stop: 1,
  /** Threads that write nothing any more. */
  ended: 2,
  /** From here on, for each thread: how many of its messages were taken. */
  taken: 3,
} as const;

export type StagingNews =
  /** Rows that stand together in the file; turns of one thread rise. */
  | {
      readonly type: 'turn';
      readonly turn: number;
      readonly counts: ReadingCounts;
      readonly problems: readonly ImportProblem[];
      /** Of the last row. */
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
