/** The port on which a home was served last: feeds and bookmarks go on working after the next start. */
import type { AccountStore } from '../store/account-store.ts';

/** Null until the home was served. */
export const keptPort = ({ file }: AccountStore): number | null =>
  file.get<{ port: number }>('SELECT port FROM listener')?.port ?? null;

/** A full disk or a locked file must not stop the listener: the home then keeps the port it had. */
export function keepPort(account: AccountStore, port: number): void {
  if (keptPort(account) === port) return;
  try {
    account.file.run(
      'INSERT INTO listener (id, port) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET port = excluded.port',
      port,
    );
  } catch {
    // The next start tries again.
  }
}
