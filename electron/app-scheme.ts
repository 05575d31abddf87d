/**
 * The windows' own scheme. Each home is an origin of its own, so that what a window remembers of the sample county never
 * meets the user's data.
 */
import type { Privileges } from 'electron/main';

export const appScheme = 'platbook-app';

/** `home`: the user's own data. `sample`: the synthetic county beside it. */
export const homeNames = ['home', 'sample'] as const;
export type HomeName = (typeof homeNames)[number];

/** No `bypassCSP`, no `corsEnabled`, no service workers: a page like any other, that is allowed its own files. */
export const schemePrivileges: Privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };

export const appAddress = (home: HomeName): string => `${appScheme}://${home}/`;

/** Which home a page belongs to; null for every page that is not the app's. */
export function homeOf(address: string): HomeName | null {
  if (!URL.canParse(address)) return null;
  const { protocol, host, username, password } = new URL(address);
  if (protocol !== `${appScheme}:` || username !== '' || password !== '') return null;
  return homeNames.find((name) => name === host) ?? null;
}
