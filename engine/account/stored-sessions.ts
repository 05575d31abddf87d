/** The app's sessions in browsers, kept over restarts of the listener: digests of their cookies. */
import type { AccountStore } from '../store/account-store.ts';

/** Cookies end with their browser; this ends those that were left open, or copied. */
const keptMilliseconds = 30 * 24 * 60 * 60 * 1000;
/** As a link in the terminal. */
const linkMilliseconds = 10 * 60 * 1000;
/** In the table of sessions; no digest holds a colon. */
const linkMark = 'link:';

export interface KeptSessions {
  /** Oldest first. */
  read(): string[];
  write(digests: readonly string[]): void;
  /** Leaves a link for the listener that another process runs on this home; ends the one left before. */
  leaveLink(digest: string): void;
  /** Whether the link was there; it is not afterwards. */
  takeLink(digest: string): boolean;
}

/** @param now milliseconds since 1970 */
export const keptSessions = ({ file }: AccountStore, now: () => number): KeptSessions => ({
  read: () =>
    file.column<string>(
      'SELECT digest FROM app_sessions WHERE made_at > ? AND instr(digest, ?) = 0 ORDER BY rowid',
      now() - keptMilliseconds,
      linkMark,
    ),
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
  leaveLink: (digest) => {
    file.run('DELETE FROM app_sessions WHERE instr(digest, ?) = 1', linkMark);
    file.run('INSERT INTO app_sessions VALUES (?, ?)', `${linkMark}${digest}`, now());
  },
  takeLink: (digest) => {
    const [key, oldest] = [`${linkMark}${digest}`, now() - linkMilliseconds];
    // Anyone may try a link: what is none shall not lock the file.
    if (!file.get('SELECT 1 FROM app_sessions WHERE digest = ? AND made_at > ?', key, oldest)) return false;
    return file.run('DELETE FROM app_sessions WHERE digest = ?', key).changes > 0;
  },
});
