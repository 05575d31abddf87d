// Plain JavaScript: an old Node must be able to read this file and print the sentence, instead of a stack trace about
// TypeScript or a crash of the database driver (better-sqlite3 13 segfaults on Node 20, in `new Database`).

/** The first release line whose Node-API the driver needs, and which runs TypeScript directly. */
const oldest = [22, 18];

/**
 * @param {string} version like "24.21.0"
 * @returns {string | null} the sentence for an unfit Node, or null
 */
export function unfitNodeSentence(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return null;
  return `Platbook needs Node ${oldest.join('.')} or newer, found ${version}. A checkout brings its own: "npm start", or "npm run platbook --".`;
}
