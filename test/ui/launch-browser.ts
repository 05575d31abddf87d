/**
 * Debian's browsers, without a display and without a graphics card: Chromium draws the map in software, which takes most
 * of a window's time; its headless shell does not draw at all, for windows whose map no test looks at.
 */
import fs from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const chromiumPath = '/usr/bin/chromium';
const shellPath = '/usr/bin/chromium-headless-shell';

export const isBrowserThere = (): boolean => fs.existsSync(chromiumPath);

/** No name is looked up: every request that would leave this machine fails, and `openWindow` reports it. */
const common = ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];

/** @param more switches of Chromium's own */
export const launchDrawingBrowser = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath,
    args: [
      ...common,
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      // The page around the map is put together by the processor itself: through a graphics card that is software, too, a
      // frame took twice as long.
      '--disable-gpu-compositing',
      ...more,
    ],
  });

/** Has no WebGL: the window shows its note instead of the map. */
export const launchPlainBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: fs.existsSync(shellPath) ? shellPath : chromiumPath,
    args: [...common, '--disable-gpu', '--disable-3d-apis'],
  });
