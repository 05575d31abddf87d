/** The files of an import in a few words, as source, title and refusals name them. */

/** More are counted, not named. */
const mostNamed = 4;

const partsOf = (path: string): string[] => path.split(/[\\/]/).filter((part) => part !== '');
const nameOf = (path: string): string => partsOf(path).at(-1) ?? path;

/** The names of a few files; of many their number, and their folder or the first and the last. Empty for none. */
export function filesWords(paths: readonly string[]): string {
  const names = paths.map(nameOf);
  if (names.length <= mostNamed) return names.join(', ');
  const [folder, ...others] = new Set(paths.map((path) => partsOf(path).slice(0, -1).join('/')));
  const where = folder && others.length === 0 ? `of ${nameOf(folder)}` : `from ${names[0]} to ${names.at(-1)}`;
  return `${names.length} files ${where}`;
}
