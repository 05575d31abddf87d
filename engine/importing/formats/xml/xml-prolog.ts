/** Skips everything before the first element of an XML file. */

/**
 * The text from its first element on; empty if there is none; null if a document type precedes it: with one, a few bytes can
 * expand to gigabytes, or include another file.
 */
export function afterProlog(text: string): string | null {
  let rest = text.replace(/^\xef\xbb\xbf|^\ufeff/, '').trimStart();
  while (rest.startsWith('<?') || rest.startsWith('<!--')) {
    const closing = rest.startsWith('<?') ? '?>' : '-->';
    const end = rest.indexOf(closing);
    rest = end === -1 ? '' : rest.slice(end + closing.length).trimStart();
  }
  return /^<!DOCTYPE/i.test(rest) ? null : rest;
}

/** The end of a text without the comments behind its last element. */
export function beforeEpilog(text: string): string {
  let rest = text.trimEnd();
  while (rest.endsWith('-->')) rest = rest.slice(0, Math.max(rest.lastIndexOf('<!--'), 0)).trimEnd();
  return rest;
}
