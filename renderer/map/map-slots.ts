/** The order of drawing: the user's layers and base maps take their places in it, whatever their file is. */
import type { LayerSpecification } from 'maplibre-gl';

/** From the bottom to the top. Of letters the topmost are placed first and win. */
export const slots = [
  ...['raster', 'ground', 'woods', 'density', 'outlines', 'fill', 'relief', 'wet', 'public', 'contours'],
  ...[
    'streams',
    'water',
    'flood',
    'lotLines',
    'survey',
    'plain',
    'roadEdges',
    'roads',
    'rails',
    'buildings',
    'selection',
  ],
  ...[
    'lotNames',
    'contourNames',
    'sectionNumbers',
    'streamNames',
    'roadNames',
    'riverNames',
    'waterNames',
    'publicNames',
  ],
  ...['townshipNames', 'summits', 'shields', 'towns', 'selectedName'],
] as const satisfies readonly string[];

export type Slot = (typeof slots)[number];

export interface Placed {
  readonly slot: Slot;
  readonly layer: LayerSpecification;
}

export const placed = (slot: Slot, layers: readonly LayerSpecification[]): Placed[] =>
  layers.map((layer) => ({ slot, layer }));

/** Within a slot in the order given. */
export const inOrder = (layers: readonly Placed[]): LayerSpecification[] =>
  slots.flatMap((slot) => layers.filter((one) => one.slot === slot).map(({ layer }) => layer));
