/** Where a home is when nobody says: the platform's folder for application data. */
import path from 'node:path';

export interface Surroundings {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userFolder: string;
}

/** `PLATBOOK_HOME`, else the platform's application-data folder. */
export function homeFolder({ platform, env, userFolder }: Surroundings): string {
  if (env.PLATBOOK_HOME) return path.resolve(env.PLATBOOK_HOME);
  if (platform === 'win32') return path.join(env.LOCALAPPDATA ?? path.join(userFolder, 'AppData', 'Local'), 'Platbook');
  if (platform === 'darwin') return path.join(userFolder, 'Library', 'Application Support', 'Platbook');
  return path.join(env.XDG_DATA_HOME ?? path.join(userFolder, '.local', 'share'), 'platbook');
}

const sampleEnding = '-sample';

/** The synthetic county never lies beside real data: it has a folder of its own, next to the home. */
export const sampleHomeFolder = (home: string): string => `${home}${sampleEnding}`;

/** The home that a sample's folder lies next to; null for a sample that was put somewhere else. */
export const ownHomeFolder = (sample: string): string | null =>
  sample.endsWith(sampleEnding) && path.basename(sample) !== sampleEnding
    ? sample.slice(0, -sampleEnding.length)
    : null;
