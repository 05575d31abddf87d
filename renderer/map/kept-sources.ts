/** Sources whose data is set while the user looks, and which a new style leaves as they are. */
import { pickedSource } from './picked-layers.ts';

/** The running track: it grows by a point every few meters. */
export const trackSource = 'running-track';
/** Lines from the user: to the parcel's line, and to where he goes. */
export const aimSource = 'aim-lines';

export const keptSources: ReadonlySet<string> = new Set([pickedSource, trackSource, aimSource]);
