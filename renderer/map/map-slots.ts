/** The order of drawing: the user's layers and base maps take their places in it, whatever their file is. */
import type { LayerSpecification } from 'maplibre-gl';

/**
 * From the bottom to the top. Of letters the topmost are placed first and win. Layers of one source stand together where
 * they can: each change of the source costs a mask for every tile of every frame.
 */
export const slots = [
  ...['raster', 'ground', 'woods', 'density', 'fill', 'relief', 'wet', 'public', 'contours'],
  ...[
    'streams',
    'water',
    'flood',
    'survey',
    'lotLines',
    'outlines',
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

/** Whether anything lies between the ground of the lots and their fill. */
export const isUnderFill = ({ slot }: Placed): boolean => slots.indexOf(slot) < slots.indexOf('fill');

/** Within a slot in the order given. */
export const inOrder = (layers: readonly Placed[]): LayerSpecification[] =>
  slots.flatMap((slot) => layers.filter((one) => one.slot === slot).map(({ layer }) => layer));
