/** Tables, code and the note of origin for generated Markdown pages. */

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

export const markdownTable = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  [headings, headings.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

export const code = (text: string): string => `\`${text}\``;

export const generatedNote = (source: string): string =>
  `<!-- Generated from ${source} by "npm run docs". Do not edit. -->`;
