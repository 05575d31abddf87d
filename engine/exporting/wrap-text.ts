/**
 * Lines of a text that fit into a width; a word that is wider alone stands alone.
 * @param indent before every line but the first
 */
export function wrapText(text: string, room: number, widthOf: (line: string) => number, indent: string = ''): string[] {
  if (widthOf(text) <= room) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`) <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : `${indent}${word}`);
  }
  return lines;
}
