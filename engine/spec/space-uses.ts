/** The folders that an import writes to and the disk space it needs there, in the order of a dry run's list. */
const spaceUses = {
  home: 'data folder',
  undo: 'undo files',
  temporary: 'temporary files',
} as const;

export type SpaceUse = keyof typeof spaceUses;

/** The needs of an import on one disk. */
export interface DiskSpace {
  /** Folder of the first use on that disk. */
  readonly folder: string;
  readonly uses: readonly SpaceUse[];
  /** Bytes that the import may need there temporarily. */
  readonly needed: number;
  /** Bytes that are free there. */
  readonly free: number;
}

/** `data folder, temporary files` */
export const usesWords = ({ uses }: Pick<DiskSpace, 'uses'>): string => uses.map((use) => spaceUses[use]).join(', ');
