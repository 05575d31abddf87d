/** The screens. A new screen is a row here. */
import {
  BriefcaseBusiness,
  ChartScatter,
  Columns3,
  Import,
  ListChecks,
  type LucideIcon,
  Map as MapIcon,
  Navigation,
  Printer,
  Settings2,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { BookScreen } from '../book/book-screen.tsx';
import { CompsScreen } from '../comps/comps-screen.tsx';
import { DeskScreen } from '../desk/desk-screen.tsx';
import { ExploreScreen } from '../explore/explore-screen.tsx';
import { FieldScreen } from '../field/field-screen.tsx';
import { ImportScreen } from '../import/import-screen.tsx';
import { ListsScreen } from '../lists/lists-screen.tsx';
import { MarketsScreen } from '../markets/markets-screen.tsx';
import { SettingsScreen } from './settings-screen.tsx';
import { UsageScreen } from './usage-screen.tsx';

interface Screen {
  readonly id: string;
  readonly title: string;
  readonly icon: LucideIcon;
  readonly content: ComponentType;
  /** Below the gap of the rail. */
  readonly isLow?: true;
  /** Fills the window, without rail and bars: entered by a command, and left by Escape. */
  readonly isFull?: true;
  /** Opened from this screen, by its address or by the palette: not in the rail. */
  readonly within?: string;
}

const screens = [
  { id: 'explore', title: 'Explore', icon: MapIcon, content: ExploreScreen },
  { id: 'desk', title: 'Desk', icon: BriefcaseBusiness, content: DeskScreen },
  { id: 'lists', title: 'Lists', icon: ListChecks, content: ListsScreen },
  { id: 'comps', title: 'Comps', icon: ChartScatter, content: CompsScreen },
  { id: 'markets', title: 'Markets', icon: Columns3, content: MarketsScreen },
  { id: 'import', title: 'Import', icon: Import, content: ImportScreen },
  { id: 'print', title: 'Print', icon: Printer, content: BookScreen },
  { id: 'settings', title: 'Settings', icon: Settings2, content: SettingsScreen, isLow: true },
  { id: 'usage', title: 'Usage', icon: Settings2, content: UsageScreen, within: 'settings' },
  { id: 'field', title: 'Field mode', icon: Navigation, content: FieldScreen, isFull: true },
] as const satisfies readonly Screen[];

type ScreenId = (typeof screens)[number]['id'];

export const screenList: readonly (Screen & { readonly id: ScreenId })[] = screens;

/** Those of the rail and of the number keys. */
export const railScreens = screenList.filter(({ isFull, within }) => !isFull && !within);
