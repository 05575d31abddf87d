/**
 * Marks texts in saved CSV files and feeds that a spreadsheet would take for a formula: they get a leading ', which an
 * import removes. The CSV of the API, read by programs, has no marks.
 */

/** The start of a formula, in full-width signs too, which East Asian spreadsheets take for the same, also behind our own marks, so that removing one mark is exact. */
const formula = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

export const neutralText = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** `="00123"`: programs write a text so, to make a spreadsheet keep its zeros. */
const quotedFormula = /^="((?:[^"]|"")*)"$/;

/** The reverse of `neutralText`; a formula that is nothing but a text is that text. */
export const plainText = (text: string): string =>
  text.startsWith("'") && formula.test(text)
    ? text.slice(1)
    : (quotedFormula.exec(text)?.[1]?.replaceAll('""', '"') ?? text);
