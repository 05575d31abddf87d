/** The map of comps beside the table: its input, and what it reports back. */
import type { ComponentType } from 'react';
import type { CompStatus } from './comp-mark.tsx';

export interface MapComp {
  readonly id: string;
  readonly status: CompStatus;
  readonly longitude: number;
  readonly latitude: number;
  /** Whether the parcel's value rests on it. */
  readonly isUsed: boolean;
}

export interface CompsCircle {
  readonly longitude: number;
  readonly latitude: number;
  readonly meters: number;
}

export interface CompsMapProps {
  /** The list's comps, as in the table; empty before the first list. */
  readonly comps: readonly MapComp[];
  /** The requested circle; null for a county. */
  readonly circle: CompsCircle | null;
  /** The valued parcel's longitude and latitude, marked where there is no circle. */
  readonly center?: readonly [number, number] | null;
  /** The parcel at the center; null on the Comps screen. */
  readonly propertyId: number | null;
  readonly fips: string | null;
  readonly selected: string | null;
  readonly highlighted: string | null;
  readonly onSelect: (id: string | null) => void;
  readonly onHighlight: (id: string | null) => void;
  /** Receives a dragged center or radius; absent if the center is a parcel and only the radius may change. */
  readonly onCircle: (circle: CompsCircle) => void;
}

export type CompsMap = ComponentType<CompsMapProps>;
