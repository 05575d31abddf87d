/** What runs on a user's machine, put into a folder. */
export function stageApp(options: {
  root: string;
  folder: string;
  platform: string;
  withShell: boolean;
  built?: string;
}): { packages: string[]; checksum: string };
export function isNeeded(name: string, file: string, platform: string): boolean;
/** Files below a folder, with slashes; without `all`, none of its node_modules. */
export function filesOf(folder: string, options?: { all?: boolean }): string[];
export function productionPackages(): string[];
/** Bytes of all files below a folder. */
export function bytesOf(folder: string): number;
