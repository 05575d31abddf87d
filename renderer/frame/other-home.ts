/**
 * Switches between the sample county and the user's own home: two homes on two origins, so that neither remembers the
 * other.
 */
import type { EngineClient } from '../client/engine-client.ts';
import { toast } from '../state/toasts.ts';

async function leave(ask: () => Promise<string>, screen: string): Promise<void> {
  try {
    // The link redirects to the app's page, and browsers keep the part after #.
    location.assign(`${await ask()}#/${screen}`);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}

/** Opens the user's own home at a screen; creates a missing home, which starts with its first run. */
export const openOwnHome = (client: EngineClient, screen: string): Promise<void> =>
  leave(() => client.openHome(), screen);

export const openSampleHome = (client: EngineClient): Promise<void> => leave(() => client.openSample(), 'explore');
