/** Handles the desktop's menu, links and drops in this window. */
import { mostWalkBytes } from '../../engine/spec/field-limits.ts';
import { findDesktop, isFileDrag, listenToDesktop } from '../client/desktop.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { commands } from '../commands.ts';
import { select } from '../explore/explore-state.ts';
import { readLocationSwitch } from '../location/location-switch.ts';
import { base64Of } from '../parts/base64.ts';
import { goTo } from '../state/navigation.ts';
import { openedFiles } from '../state/opened-files.ts';
import { toast, tried } from '../state/toasts.ts';
import { filesDropped, importPhotos, mayBePhotos } from '../visits/import-photos.ts';
import { type DroppedFile, mayBeWalk, takeFiles } from './dropped-files.tsx';

/**
 * A file dropped outside the import screen would replace the page. The browser hides its path: a walk is sent along, all
 * else is chosen in the folder list.
 */
function followDropsInBrowser(client: EngineClient): void {
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    if (event.defaultPrevented || !isFileDrag(event)) return;
    event.preventDefault();
    void tried(async () => takeDropped(client, await filesDropped(event.dataTransfer, mayBeWalk)));
  });
}

async function takeDropped(client: EngineClient, files: readonly File[]): Promise<void> {
  const photos = files.filter(({ name }) => mayBePhotos(name));
  if (photos.length > 0) void importPhotos(client, photos);
  if (photos.length === files.length) return;
  const small = files.filter(({ name, size }) => mayBeWalk(name) && size <= mostWalkBytes);
  const sent = await Promise.all(small.map(async (file) => ({ name: file.name, bytes: await base64Of(file) })));
  await takeFiles(client, sent, toFolders);
  if (small.length + photos.length < files.length) toFolders();
}

function toFolders(): void {
  goTo('import');
  toast('A browser does not reveal the path of a dropped file: choose it in its folder here.');
}

function toImport(files: readonly DroppedFile[]): void {
  openedFiles.set({ paths: files.flatMap(({ path }) => path ?? []) });
  goTo('import');
}

export function followDesktop(client: EngineClient): void {
  const desktop = findDesktop();
  if (!desktop) {
    followDropsInBrowser(client);
    return;
  }
  void readLocationSwitch();
  listenToDesktop(desktop, {
    command: (id) => commands.find((command) => command.id === id)?.run(client),
    opened: ({ parcel, files }) => {
      if (files.length > 0)
        void takeFiles(
          client,
          files.map((path) => ({ path })),
          toImport,
        );
      else if (parcel !== null) {
        goTo('explore');
        select(parcel);
      }
    },
  });
}
