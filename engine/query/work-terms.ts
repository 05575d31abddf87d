/**
 * Filters over the user's own work: starred, tagged, listed, mailed, on the desk. Only the app has them, not the public API. They
 * join a request as sets of property ids, because land.sqlite knows nothing of account.sqlite.
 */
import { type ErrorDetails, validationError } from '../spec/errors.ts';
import { type WorkFields, workFields } from '../spec/work-fields.ts';
import type { AccountStore } from '../store/account-store.ts';

/** One of these filters as a set. */
export interface WorkTerm {
  readonly name: keyof WorkFields;
  /** The same object while the set is unchanged. */
  readonly ids: ArrayLike<number>;
  /** All but these. */
  readonly isExcluded: boolean;
  /** Changes whenever the set may have. */
  readonly key: string;
}

const listSql = 'SELECT property_id FROM list_members WHERE list_id IN (SELECT value FROM json_each(?))';

/** Unknown values meet none of them. */
const dealsSql = (test: string): string => `SELECT property_id FROM deals WHERE ${test} json_extract(?, '$')`;

/** The query on account.sqlite for each field. */
const setsSql: Readonly<Record<keyof WorkFields, string>> = {
  starred: 'SELECT property_id FROM stars WHERE ? IS NOT NULL',
  tags: 'SELECT property_id FROM parcel_tags WHERE tag_id IN (SELECT value FROM json_each(?))',
  in_list: listSql,
  not_in_list: listSql,
  mailed_before: `SELECT property_id FROM list_members GROUP BY property_id HAVING max(mailed_on) < json_extract(?, '$')`,
  stage: 'SELECT property_id FROM deals WHERE stage IN (SELECT value FROM json_each(?))',
  next_before: dealsSql('next_on <'),
  next_after: dealsSql('next_on >='),
  offer_min: dealsSql('offer >='),
  offer_max: dealsSql('offer <='),
  touched_since: "SELECT property_id FROM deal_log GROUP BY property_id HAVING max(at) >= json_extract(?, '$')",
};

/**
 * The sets a body names.
 * @throws EngineError validation_error for a tag or list that does not exist
 */
export function workTerms(body: WorkFields, account: AccountStore | undefined): WorkTerm[] {
  const given = workFields.filter((name) => body[name] !== undefined);
  if (given.length === 0) return [];
  if (!account) throw new TypeError("a filter over the user's work needs account.sqlite");
  requireThere(body, account);
  const writes = account.file.writesSeen();
  return given.map((name) => {
    const asked = JSON.stringify(body[name]);
    return {
      name,
      ids: idsOf(account, writes, setsSql[name], asked),
      isExcluded: name === 'not_in_list' || (name === 'starred' && body.starred === false),
      key: `${name} ${asked} ${writes}`,
    };
  });
}

interface KeptSets {
  readonly writes: string;
  readonly sets: Map<string, ArrayLike<number>>;
}

/** At a hundred thousand parcels each, a few megabytes. */
const mostSets = 8;
const kept = new WeakMap<AccountStore, KeptSets>();

/** Cached until account.sqlite is written: a slider requests the same list sixty times a second. */
function idsOf(account: AccountStore, writes: string, text: string, asked: string): ArrayLike<number> {
  const read = () => Float64Array.from(new Set(account.file.column<number>(text, asked)));
  // An open transaction may roll back.
  if (account.file.inTransaction) return read();
  const before = kept.get(account);
  const { sets } = before?.writes === writes ? before : { sets: new Map<string, ArrayLike<number>>() };
  kept.set(account, { writes, sets });
  const key = `${text} ${asked}`;
  const known = sets.get(key);
  if (known) return known;
  const ids = read();
  if (sets.size === mostSets) sets.clear();
  sets.set(key, ids);
  return ids;
}

function requireThere(body: WorkFields, { file }: AccountStore): void {
  const problems: ErrorDetails = {};
  const check = (name: 'tags' | 'in_list' | 'not_in_list', table: string, key: string, what: string): void => {
    const missing = file.column<number>(
      `SELECT value FROM json_each(?) WHERE value NOT IN (SELECT ${key} FROM ${table})`,
      JSON.stringify(body[name] ?? []),
    );
    if (missing.length > 0) problems[name] = missing.map((id) => `there is no ${what} ${id}`);
  };
  check('tags', 'tags', 'tag_id', 'tag');
  check('in_list', 'lists', 'list_id', 'list');
  check('not_in_list', 'lists', 'list_id', 'list');
  if (Object.keys(problems).length > 0) throw validationError(problems);
}
