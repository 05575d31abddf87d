/** The screens of the rail. A new one is a row here. */
import {
  ChartScatter,
  Columns3,
  Gauge,
  Import,
  ListChecks,
  type LucideIcon,
  Map as MapIcon,
  Settings2,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { ExploreScreen } from '../explore/explore-screen.tsx';
import { notBuilt } from './not-built.tsx';
import { SettingsScreen } from './settings-screen.tsx';
import { UsageScreen } from './usage-screen.tsx';

export interface Screen {
  readonly id: string;
  readonly title: string;
  readonly icon: LucideIcon;
  readonly content: ComponentType;
  /** Below the gap of the rail. */
  readonly isLow?: true;
}

export const screens = [
  { id: 'explore', title: 'Explore', icon: MapIcon, content: ExploreScreen },
  {
    id: 'comps',
    title: 'Comps',
    icon: ChartScatter,
    content: notBuilt('Comps', ChartScatter, 'platbook call list_comps', 'list comparable sales'),
  },
  {
    id: 'markets',
    title: 'Markets',
    icon: Columns3,
    content: notBuilt('Markets', Columns3, 'platbook call list_saved_markets', 'see the markets you keep'),
  },
  {
    id: 'lists',
    title: 'Lists',
    icon: ListChecks,
    content: notBuilt('Lists', ListChecks, 'platbook call filter_properties', 'take parcels along as JSON'),
  },
  {
    id: 'import',
    title: 'Import',
    icon: Import,
    content: notBuilt(
      'Import',
      Import,
      'platbook import parcels FILE --county FIPS --mapping NAME',
      'bring in a county’s files',
    ),
  },
  { id: 'usage', title: 'Usage', icon: Gauge, content: UsageScreen, isLow: true },
  { id: 'settings', title: 'Settings', icon: Settings2, content: SettingsScreen, isLow: true },
] as const satisfies readonly Screen[];

export type ScreenId = (typeof screens)[number]['id'];

export const screenList: readonly (Screen & { readonly id: ScreenId })[] = screens;
