/** The app's sessions in browsers, kept over restarts of the listener: digests of their cookies. */
import type { AccountStore } from '../store/account-store.ts';

/** Cookies end with their browser; this ends those that were left open, or copied. */
const keptMilliseconds = 30 * 24 * 60 * 60 * 1000;

export interface KeptSessions {
  /** Oldest first. */
  read(): string[];
  write(digests: readonly string[]): void;
}

/** @param now milliseconds since 1970 */
export const keptSessions = ({ file }: AccountStore, now: () => number): KeptSessions => ({
  read: () =>
    file.column<string>('SELECT digest FROM app_sessions WHERE made_at > ? ORDER BY rowid', now() - keptMilliseconds),
  write: (digests) => {
    try {
      file.transaction(() => {
        const kept = JSON.stringify(digests);
        file.run('DELETE FROM app_sessions WHERE digest NOT IN (SELECT value FROM json_each(?))', kept);
        file.run('INSERT OR IGNORE INTO app_sessions SELECT value, ? FROM json_each(?)', now(), kept);
      });
    } catch {
      // A full disk or a locked file must not stop the window: its session ends with the listener.
    }
  },
});
