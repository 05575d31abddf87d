/** What an import writes where, in the order in which a dry run lists it. */
export const spaceUses = {
  home: 'data folder',
  undo: 'undo files',
  temporary: 'temporary files',
} as const;

export type SpaceUse = keyof typeof spaceUses;

/** What of an import goes to one disk. */
export interface DiskSpace {
  /** On that disk, where the first of its uses writes. */
  readonly folder: string;
  readonly uses: readonly SpaceUse[];
  /** Bytes that the import may need there, for a while. */
  readonly needed: number;
  /** Bytes that are free there. */
  readonly free: number;
}

/** `data folder, temporary files` */
export const usesWords = ({ uses }: Pick<DiskSpace, 'uses'>): string => uses.map((use) => spaceUses[use]).join(', ');
