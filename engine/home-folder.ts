/** The default home folder of a platform, and the folder of the sample beside a home. */
import fs from 'node:fs';
import path from 'node:path';

interface Surroundings {
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

/** The folder of the synthetic county, next to the home: a home never mixes it with real data. */
export const sampleHomeFolder = (home: string): string => `${home}${sampleEnding}`;

/** The home next to a sample's folder; null if the sample lies elsewhere. */
export const ownHomeFolder = (sample: string): string | null =>
  sample.endsWith(sampleEnding) && path.basename(sample) !== sampleEnding
    ? sample.slice(0, -sampleEnding.length)
    : null;

/** The folders that hold a user's data: the home, and the sample's if there is one. @param home either of the two */
export function dataFolders(home: string): string[] {
  const own = ownHomeFolder(home) ?? home;
  return [own, sampleHomeFolder(own)].filter((folder) => folder === home || fs.existsSync(folder));
}

const platformPlaces = /^(.+)[\\/](?:\.local[\\/]share|Library[\\/]Application Support|AppData[\\/]Local)[\\/][^\\/]+$/;

/** Where a window begins to look for files: the downloads of the user whose home is in the platform's place, else the folder above the home. */
export function filesFolder(home: string): string {
  const [, user] = platformPlaces.exec(home) ?? [];
  if (user === undefined) return path.dirname(home);
  const downloads = path.join(user, 'Downloads');
  return fs.existsSync(downloads) ? downloads : user;
}
