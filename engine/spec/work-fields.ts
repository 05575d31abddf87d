/** Filters over the user's own work (stars, tags, lists, mailings), for the app's reads; the public API has none of them. */
export interface WorkFields {
  /** true: starred parcels; false: the others. */
  readonly starred?: boolean;
  /** Ids of tags; any of them. */
  readonly tags?: readonly number[];
  /** Ids of lists; any of them. */
  readonly in_list?: readonly number[];
  readonly not_in_list?: readonly number[];
  /** ISO day; keeps parcels mailed at least once whose last mailing was before it. */
  readonly mailed_before?: string;
}

export const workFields = [
  'starred',
  'tags',
  'in_list',
  'not_in_list',
  'mailed_before',
] as const satisfies readonly (keyof WorkFields)[];
