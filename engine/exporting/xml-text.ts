/** Escapes text for XML 1.0 and drops characters that XML cannot hold (controls, lone surrogates). */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unfit = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const special = /[&<>"]/g;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(unfit, '')
    .replace(special, (character) => entities[character] ?? '');
