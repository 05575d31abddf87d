/** Filters over the user's own work, which the app's reads know and the public API does not. */
export interface WorkFields {
  /** true: starred parcels; false: the others. */
  readonly starred?: boolean;
  /** Ids of tags; any of them. */
  readonly tags?: readonly number[];
  /** Ids of lists; any of them. */
  readonly in_list?: readonly number[];
  readonly not_in_list?: readonly number[];
  /** ISO day: mailed at least once, the last time before it. */
  readonly mailed_before?: string;
}

export const workFields = [
  'starred',
  'tags',
  'in_list',
  'not_in_list',
  'mailed_before',
] as const satisfies readonly (keyof WorkFields)[];
