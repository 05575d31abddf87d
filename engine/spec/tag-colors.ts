/** Colours a tag may have: roles of the design's tokens, each with an ink. Amber and red stay for what is unknown and wrong. */
export const tagColors = ['ramp-2', 'ramp-3', 'ramp-4', 'ramp-5', 'water', 'accent'] as const;

export type TagColor = (typeof tagColors)[number];
