/** The place beside the table where the comps lie: what a map of them is given, and what it reports back. */
import type { ComponentType } from 'react';
import type { CompStatus } from './comp-mark.tsx';

export interface MapComp {
  readonly id: string;
  readonly status: CompStatus;
  readonly longitude: number;
  readonly latitude: number;
  /** US dollars, acres: for a label. */
  readonly price: number;
  readonly acres: number | null;
  readonly apn: string;
}

export interface CompsCircle {
  readonly longitude: number;
  readonly latitude: number;
  readonly meters: number;
}

export interface CompsMapProps {
  /** Those of the list, as the table shows them; empty before the first list. */
  readonly comps: readonly MapComp[];
  /** What is asked for; null where a county is. */
  readonly circle: CompsCircle | null;
  /** The parcel in the middle; null on the Comps screen. */
  readonly propertyId: number | null;
  readonly fips: string | null;
  readonly selected: string | null;
  readonly highlighted: string | null;
  readonly onSelect: (id: string | null) => void;
  readonly onHighlight: (id: string | null) => void;
  /** A dragged centre or radius; absent where the middle is a parcel and only the radius may change. */
  readonly onCircle: (circle: CompsCircle) => void;
}

export type CompsMap = ComponentType<CompsMapProps>;
