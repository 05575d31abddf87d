/** The search with which `npm start` shows the sample: paid for once, so that a new window shows it free. */
import type { AccountStore } from '../store/account-store.ts';

/** Name of the key with which it is sent. */
export const firstKeyName = 'first start';

/** The first charge to that key; null if the home was opened otherwise. */
export const firstSearch = ({ file }: AccountStore): { readonly at: string; readonly tokens: number } | null =>
  file.get<{ at: string; tokens: number }>(
    `SELECT charged_at AS at, tokens FROM ledger
     WHERE key_id = (SELECT min(key_id) FROM api_keys WHERE name = ?) ORDER BY ledger_id LIMIT 1`,
    firstKeyName,
  ) ?? null;
