/** The color roles of tokens.css for the map's style, because maplibre does not know custom properties. */

const colors = {
  land: '--map-land',
  lot: '--map-lot',
  line: '--map-line',
  matchLine: '--map-match-line',
  water: '--map-water',
  waterLine: '--map-water-line',
  road: '--map-road',
  roadEdge: '--map-road-edge',
  building: '--map-building',
  label: '--map-label',
  waterLabel: '--map-water-label',
  halo: '--map-halo',
  select: '--map-select',
  selectCasing: '--map-select-casing',
  hover: '--map-hover',
  text: '--text',
  quiet: '--text-3',
  comp: '--data-adj',
  track: '--map-track',
  contour: '--map-contour',
  contourBold: '--map-contour-bold',
  contourLabel: '--map-contour-label',
  woods: '--map-woods',
  roadMain: '--map-road-main',
  roadMainEdge: '--map-road-main-edge',
  roadLabel: '--map-road-label',
  rail: '--map-rail',
  shield: '--map-shield',
  shieldLabel: '--map-road-label',
  shieldLine: '--map-shield-line',
  public: '--map-public',
  publicLabel: '--map-public-label',
  wet: '--map-wet',
  flood: '--map-flood',
  place: '--map-place',
  summit: '--map-summit',
  survey: '--map-survey',
} as const;

export interface MapTokens extends Readonly<Record<keyof typeof colors, string>> {
  /** From few to many; reversed in the dark theme, so that more always stands out. */
  readonly ramp: readonly string[];
  /** The text color on each of them. */
  readonly rampInk: readonly string[];
  readonly isOutdoor: boolean;
  /** Ink over a photo: lines have edges, letters wider halos. */
  readonly isOverPhoto: boolean;
  /** Opacity of the relief, 0 to 1. */
  readonly reliefStrength: number;
  /** Opacity of the lots' fill, 0 to 1: the ground shows through. */
  readonly lotOpacity: number;
  /** Pixels of a rem. */
  readonly rem: number;
}

/** The current values in the document. */
export function readMapTokens(): MapTokens {
  const root = document.documentElement;
  const style = getComputedStyle(root);
  const ink = new OffscreenCanvas(1, 1).getContext('2d');
  // The build may shorten a color or use its name; a canvas returns it as #rrggbb.
  const color = (name: string): string => {
    if (!ink) return '#808080';
    ink.fillStyle = style.getPropertyValue(name).trim();
    return String(ink.fillStyle);
  };
  const named = Object.fromEntries(Object.entries(colors).map(([role, name]) => [role, color(name)]));
  const steps = [1, 2, 3, 4, 5];
  return {
    ...(named as Record<keyof typeof colors, string>),
    ramp: steps.map((step) => color(`--ramp-${step}`)),
    rampInk: steps.map((step) => color(`--ramp-${step}-ink`)),
    reliefStrength: Number.parseFloat(style.getPropertyValue('--map-relief-strength')) || 0,
    lotOpacity: Number.parseFloat(style.getPropertyValue('--map-lot-opacity')) || 1,
    isOverPhoto: false,
    isOutdoor: root.dataset.theme === 'outdoor',
    rem: Number.parseFloat(style.fontSize) || 16,
  };
}
