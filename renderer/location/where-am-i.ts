/** Where am I: selects the parcel at the current position and shows it. */
import type { EngineClient } from '../client/engine-client.ts';
import { select } from '../explore/explore-state.ts';
import { mapPresence, showBounds } from '../map/map-state.ts';
import { goTo } from '../state/navigation.ts';
import { toast } from '../state/toasts.ts';
import { locationSwitch } from './location-switch.ts';
import { type HerePosition, here } from './position-state.ts';

const nearZoom = 17;

/** Explore watches the position; the request waits until there is one. */
export function whereAmI(client: EngineClient): void {
  if (!locationSwitch.get().on) {
    toast('Location is off. Switch it on in Settings.', { label: 'Settings', run: () => goTo('settings') });
    return;
  }
  goTo('explore');
  const { position, problem } = here.get();
  if (position) void showHere(client, position);
  else {
    here.set({ askedAt: performance.now() });
    toast(problem ?? 'Waiting for a position.');
  }
}

/** Called with the first position after the request. */
export async function showHere(client: EngineClient, { longitude, latitude }: HerePosition): Promise<void> {
  here.set({ askedAt: null });
  showBounds([longitude, latitude, longitude, latitude], nearZoom);
  try {
    const { property_id: id } = await client.read('parcel_at', { longitude, latitude });
    if (id === null) toast('No parcel of this book lies here.');
    else {
      mapPresence.set({ seen: id });
      select(id);
    }
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}
