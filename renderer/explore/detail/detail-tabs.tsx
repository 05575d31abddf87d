/** The tabs of a parcel. A new tab is a row here. */
import type { ComponentType } from 'react';
import type { ReadOutputOf } from '../../../engine/reads/index.ts';
import { CompsTab } from './comps-tab.tsx';
import { HistoryTab } from './history-tab.tsx';
import { NotesTab } from './notes-tab.tsx';
import { OwnerTab } from './owner-tab.tsx';
import { ParcelTab } from './parcel-tab.tsx';
import { ValueActions, ValueTab } from './value-tab.tsx';

export type OpenParcel = ReadOutputOf<'parcel'>;
export type ColumnName = keyof OpenParcel['parcel'];

export interface DetailTabProps {
  readonly open: OpenParcel;
}

interface DetailTab {
  readonly id: string;
  readonly title: string;
  readonly content: ComponentType<DetailTabProps>;
  /** Replaces filters, map and table, with the results as a list beside it. */
  readonly isWide?: true;
  /** Shown at the end of the tab bar. */
  readonly actions?: ComponentType<DetailTabProps>;
}

export const detailTabs: readonly DetailTab[] = [
  { id: 'parcel', title: 'Parcel', content: ParcelTab },
  { id: 'value', title: 'Value', content: ValueTab, isWide: true, actions: ValueActions },
  { id: 'comps', title: 'Comps', content: CompsTab, isWide: true },
  { id: 'owner', title: 'Owner & contact', content: OwnerTab },
  { id: 'notes', title: 'Notes', content: NotesTab },
  { id: 'history', title: 'History', content: HistoryTab },
];

/** Whether the parcel fills the whole screen beside the list of results. */
export const isWideTab = (id: string): boolean => detailTabs.some((tab) => tab.id === id && tab.isWide === true);
