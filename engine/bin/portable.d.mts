/** The portable folder of one platform. */
export function makePortable(options: { platform: string; out: string; built?: string }): {
  folder: string;
  checksum: string;
  bytes: number;
  runtimeBytes: number;
  packages: number;
};
export const nodeVersion: string;
export const runtimes: Readonly<
  Record<
    'linux-x64' | 'linux-arm64' | 'win32-x64' | 'darwin-x64' | 'darwin-arm64',
    { package: string; binary: string; integrity: string }
  >
>;
