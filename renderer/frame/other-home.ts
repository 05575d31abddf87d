/** From the sample county to the user's own home, and back: two homes, two origins, so that neither remembers the other. */
import type { EngineClient } from '../client/engine-client.ts';
import { toast } from '../state/toasts.ts';

async function leave(ask: () => Promise<string>, screen: string): Promise<void> {
  try {
    // The link leads on to the app's page, and a browser takes what stands behind # along.
    location.assign(`${await ask()}#/${screen}`);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}

/** Opens the user's own home at a screen; a home that is not there yet is made, and begins with its first run. */
export const openOwnHome = (client: EngineClient, screen: string): Promise<void> =>
  leave(() => client.openHome(), screen);

export const openSampleHome = (client: EngineClient): Promise<void> => leave(() => client.openSample(), 'explore');
