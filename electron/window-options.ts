/** The options of every window. Each line of `webPreferences` is a line of SECURITY.md, including defaults. */
import type { BrowserWindowConstructorOptions } from 'electron/main';
import type { PlacedWindow } from './window-bounds.ts';

interface WindowParts {
  readonly place: PlacedWindow;
  readonly preload: string;
  readonly icon: string;
  readonly hasDevTools: boolean;
}

export const windowOptions = ({ place, preload, icon, hasDevTools }: WindowParts): BrowserWindowConstructorOptions => ({
  ...place,
  title: 'Platbook',
  icon,
  // Shown once drawn: no white flash.
  show: false,
  // `--ground` of the light theme.
  backgroundColor: '#f6f5f0',
  webPreferences: {
    preload,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    // Its dictionaries would be downloaded.
    spellcheck: false,
    devTools: hasDevTools,
  },
});
