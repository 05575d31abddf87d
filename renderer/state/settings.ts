/** The app's appearance and behavior on this computer. Stored in the home and in the browser, never sent anywhere. */
import type { UnitSystem } from '../map/units.ts';
import { createStore, type Store, useStore } from './store.ts';

export const themes = ['light', 'dark', 'outdoor'] as const;
type Theme = (typeof themes)[number];
export const densities = ['comfortable', 'compact'] as const;
type Density = (typeof densities)[number];

interface Settings {
  readonly theme: Theme;
  readonly density: Density;
  /** Units of the map's measures and labels; filters and tables stay in acres and feet, like the API. */
  readonly units: UnitSystem;
  /** Which north the bearings of Field mode are measured from. */
  readonly north: 'true' | 'magnetic';
  /** Whether single letters are shortcuts: they disturb some screen readers and speech input. */
  readonly letters: boolean;
  /** Pixels; null: as in the tokens. */
  readonly filterWidth: number | null;
  readonly detailWidth: number | null;
  /** Share of the map above the table, 0 to 1. */
  readonly mapShare: number;
  /** Ids of explore/table-columns.tsx, in order. */
  readonly columns: readonly string[];
  /** Sections of the filter panel that differ from their default. */
  readonly toggledSections: readonly string[];
  /** The theme of Field mode while it is open; the user's own stays in `theme`. */
  readonly themeOver: Theme | null;
}

export const settings: Store<Settings> = createStore<Settings>(
  'platbook.settings',
  {
    theme: 'light',
    density: 'comfortable',
    units: 'ft, ac',
    north: 'true',
    letters: true,
    filterWidth: null,
    detailWidth: null,
    mapShare: 0.58,
    columns: ['apn', 'owner', 'effective_acres', 'market_value', 'price_per_acre', 'road', 'owner_lives_in'],
    toggledSections: [],
    themeOver: null,
  },
  { lost: ['themeOver'] },
);

const themeOf = ({ theme, themeOver }: Settings): Theme => themeOver ?? theme;
const shownTheme = (): Theme => themeOf(settings.get());

export const useShownTheme = (): Theme => themeOf(useStore(settings));

/** To the next theme, of what is shown. */
export function changeTheme(): void {
  const theme = themes[(themes.indexOf(shownTheme()) + 1) % themes.length] ?? 'light';
  settings.set(settings.get().themeOver ? { themeOver: theme } : { theme });
}

/** Sets theme and density on the document, now and whenever they change. */
export function applySettings(): void {
  const apply = () => {
    const { density } = settings.get();
    document.documentElement.dataset.theme = shownTheme();
    document.documentElement.dataset.density = density;
    applyWidth();
  };
  settings.subscribe(apply);
  addEventListener('resize', applyWidth);
  apply();
}

/**
 * The layout that fits, relative to the text size: at 200 % text a wide window counts as narrow. 75 rem are the mock's
 * 1200 px, and its 1360 px outdoors, where the text is larger.
 */
function applyWidth(): void {
  const root = document.documentElement;
  const rem = Number.parseFloat(getComputedStyle(root).fontSize) || 16;
  const width = window.innerWidth / rem;
  // Field mode's: below it, as on a phone with large text or held sideways, each line counts.
  const isLow = window.innerHeight / rem < 32;
  root.dataset.field = isLow && width >= 36 ? 'flat' : width < 52 ? 'narrow' : 'wide';
  root.dataset.height = !isLow ? 'high' : width < 36 ? 'low' : 'flat';
  root.dataset.width = width < 52 ? 'tiny' : width <= 75.5 ? 'narrow' : width <= 85 ? 'medium' : 'wide';
}
