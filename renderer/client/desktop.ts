/** The page's side of the desktop app: menu commands, links, and files the user opens or drops. */
import type { DesktopBridge, OpenedNews } from '../../electron/bridge.ts';
import { desktopClient } from './desktop-client.ts';
import type { EngineClient } from './engine-client.ts';
import { fetchClient } from './fetch-client.ts';

/** Null in a browser. */
export const findDesktop = (): DesktopBridge | null => (globalThis as { platbook?: DesktopBridge }).platbook ?? null;

/** Over the bridge's port in the desktop app, over the page's own listener in a browser. */
export function connectEngine(): EngineClient {
  const desktop = findDesktop();
  return desktop ? desktopClient(desktop, window as never) : fetchClient();
}

interface DesktopEars {
  /** An id of commands.ts. */
  readonly command: (id: string) => void;
  readonly opened: (news: OpenedNews) => void;
}

/** Handles the menu, links, and files opened with the app or dropped on its window. */
export function listenToDesktop(bridge: DesktopBridge, { command, opened }: DesktopEars): void {
  bridge.onCommand((id) => {
    // In a text field undo applies to the text, not the parcels.
    if ((id === 'undo' || id === 'redo') && isTyping(document.activeElement)) document.execCommand(id);
    else command(id);
  });
  bridge.onOpened(opened);
  // Captures first: only here is a file's path known.
  addEventListener('dragover', (event) => event.preventDefault(), true);
  addEventListener('drop', (event) => hearDrop(event, bridge, opened), true);
}

function hearDrop(event: DragEvent, bridge: DesktopBridge, opened: DesktopEars['opened']): void {
  if (!isFileDrag(event)) return;
  event.preventDefault();
  event.stopPropagation();
  const files = [...(event.dataTransfer?.files ?? [])].map((file) => bridge.pathOf(file)).filter((path) => path !== '');
  if (files.length > 0) opened({ parcel: null, files });
}

/** False for text dragged within the page. */
export const isFileDrag = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

const isTyping = (element: Element | null): boolean =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
