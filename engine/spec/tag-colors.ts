/** Colors of tags: roles of renderer/styles/tokens.css, each with an ink. Amber and red are reserved for unknown and wrong. */
export const tagColors = ['ramp-2', 'ramp-3', 'ramp-4', 'ramp-5', 'water', 'accent'] as const;

export type TagColor = (typeof tagColors)[number];
