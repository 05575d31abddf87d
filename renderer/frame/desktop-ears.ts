/** Handles the desktop's menu, links and drops in this window. */
import { findDesktop, isFileDrag, listenToDesktop } from '../client/desktop.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { commands } from '../commands.ts';
import { select } from '../explore/explore-state.ts';
import { readLocationSwitch } from '../location/location-switch.ts';
import { goTo } from '../state/navigation.ts';
import { openedFiles } from '../state/opened-files.ts';
import { toast } from '../state/toasts.ts';

/**
 * A file dropped outside the import screen would replace the page. The browser hides its path, so this offers the
 * folder list instead.
 */
function followDropsInBrowser(): void {
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    if (event.defaultPrevented || !isFileDrag(event)) return;
    event.preventDefault();
    goTo('import');
    toast('A browser does not reveal the path of a dropped file: choose it in its folder here.');
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
