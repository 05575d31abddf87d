/**
 * Text cells of saved CSV files and feeds, which people open in spreadsheets: a text that a spreadsheet would take for a
 * formula gets a leading ', which an import takes off again. The CSV of the API, made for programs, does otherwise.
 */

/** What a spreadsheet takes for the begin of a formula; and our own mark before one, so that taking it off is exact. */
const formula = /^'*[=+\-@\t\r]/;

export const neutralText = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** The reverse of `neutralText`. */
export const plainText = (text: string): string => (/^''*[=+\-@\t\r]/.test(text) ? text.slice(1) : text);
