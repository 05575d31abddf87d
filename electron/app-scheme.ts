/**
 * The windows' own scheme. Each home is a separate origin, so that a window's stored state of the sample county never
 * mixes with the user's data.
 */
import type { Privileges } from 'electron/main';

export const appScheme = 'platbook-app';

/** `home`: the user's own data. `sample`: the synthetic county beside it. */
export const homeNames = ['home', 'sample'] as const;
export type HomeName = (typeof homeNames)[number];

/** No `bypassCSP`, no `corsEnabled`, no service workers: an ordinary page with access to its own files. */
export const schemePrivileges: Privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };

export const appAddress = (home: HomeName): string => `${appScheme}://${home}/`;

/** The home of a page; null for pages that are not the app's. */
export function homeOf(address: string): HomeName | null {
  if (!URL.canParse(address)) return null;
  const { protocol, host, username, password } = new URL(address);
  if (protocol !== `${appScheme}:` || username !== '' || password !== '') return null;
  return homeNames.find((name) => name === host) ?? null;
}
