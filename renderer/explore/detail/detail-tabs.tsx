/** The tabs of a parcel. A new one is a row here. */
import type { ComponentType } from 'react';
import type { ReadOutputOf } from '../../../engine/reads/index.ts';
import { HistoryTab } from './history-tab.tsx';
import { OwnerTab } from './owner-tab.tsx';
import { ParcelTab } from './parcel-tab.tsx';

export type OpenParcel = ReadOutputOf<'parcel'>;

export interface DetailTabProps {
  readonly open: OpenParcel;
}

export interface DetailTab {
  readonly id: string;
  readonly title: string;
  readonly content: ComponentType<DetailTabProps>;
}

export const detailTabs: readonly DetailTab[] = [
  { id: 'parcel', title: 'Parcel', content: ParcelTab },
  { id: 'owner', title: 'Owner & contact', content: OwnerTab },
  { id: 'history', title: 'History', content: HistoryTab },
];
