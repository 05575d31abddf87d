/** What can be done in Field mode: the buttons, their keys, and the rows of the palette. */
import { Camera, type LucideIcon, MapPinPlus, Navigation, Route, UserRoundSearch } from 'lucide-react';
import type { EngineClient } from '../client/engine-client.ts';
import { type SheetName, toggleSheet } from './field-state.ts';
import { toggleTrack } from './track.ts';

interface FieldAction {
  readonly id: string;
  /** On the button. */
  readonly label: string;
  /** In the palette and the list of keys. */
  readonly title: string;
  readonly key: string;
  readonly icon: LucideIcon;
  /** The sheet that it opens; null: none. */
  readonly sheet: SheetName | null;
  readonly run: (client: EngineClient) => void;
}

const opening = (sheet: SheetName) => ({ sheet, run: () => toggleSheet(sheet) });

export const fieldActions: readonly FieldAction[] = [
  {
    id: 'field-whose',
    label: 'Whose land',
    title: 'Whose land is this, here or under the cross',
    key: 'w',
    icon: UserRoundSearch,
    ...opening('whose'),
  },
  {
    id: 'field-waypoint',
    label: 'Waypoint',
    title: 'Keep a waypoint',
    key: 'p',
    icon: MapPinPlus,
    ...opening('waypoint'),
  },
  { id: 'field-photo', label: 'Photo', title: 'Keep a photo', key: 'c', icon: Camera, ...opening('photo') },
  {
    id: 'field-track',
    label: 'Track',
    title: 'Start or end a track',
    key: 't',
    icon: Route,
    sheet: null,
    run: toggleTrack,
  },
  {
    id: 'field-go',
    label: 'Go to',
    title: 'Go to a parcel, a waypoint or coordinates',
    key: 'g',
    icon: Navigation,
    ...opening('go'),
  },
];
