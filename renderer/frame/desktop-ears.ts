/** What the desktop's menu, links and drops do in this window. */
import { findDesktop, isFileDrag, listenToDesktop } from '../client/desktop.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { commands } from '../commands.ts';
import { select } from '../explore/explore-state.ts';
import { readLocationSwitch } from '../location/location-switch.ts';
import { goTo } from '../state/navigation.ts';
import { openedFiles } from '../state/opened-files.ts';
import { toast } from '../state/toasts.ts';

/**
 * A file that is let go of outside the import screen would take the place of the page. The browser keeps to itself where it
 * lies, so the folder list is offered instead.
 */
function followDropsInBrowser(): void {
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    if (event.defaultPrevented || !isFileDrag(event)) return;
    event.preventDefault();
    goTo('import');
    toast('A browser does not tell where a dropped file lies: choose it in its folder here.');
  });
}

export function followDesktop(client: EngineClient): void {
  const desktop = findDesktop();
  if (!desktop) {
    followDropsInBrowser();
    return;
  }
  void readLocationSwitch();
  listenToDesktop(desktop, {
    command: (id) => commands.find((command) => command.id === id)?.run(client),
    opened: ({ parcel, files }) => {
      if (files.length > 0) {
        openedFiles.set({ paths: files });
        goTo('import');
      } else if (parcel !== null) {
        goTo('explore');
        select(parcel);
      }
    },
  });
}
