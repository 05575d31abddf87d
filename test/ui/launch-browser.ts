/** Debian's Chromium, without a display and without a graphics card. */
import fs from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

export const isBrowserThere = (): boolean => fs.existsSync(executablePath);

/** @param more switches of Chromium's own */
export const launchBrowser = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', ...more],
  });
