/** The number of a township north or south of its base line, or of a range east or west of its meridian, in one spelling. */

const written =
  /^(?:T(?:OWNSHIP|WN?S?P|WP)?|R(?:ANGE|NG|GE|G)?)?\.?[-\s]*0*([1-9]\d{0,2})(½|\.5|\s1\s*\/\s*2)?[-\s]*(N|S|E|W)(?:ORTH|OUTH|AST|EST)?\.?$/i;
const sides = { T: 'NS', R: 'EW' } as const;

/** `T5N`, `R3W`; null for anything else, as a number without its side. */
export function gridNumber(letter: 'T' | 'R', text: string): string | null {
  const [, number, half, side = ''] = written.exec(text.trim()) ?? [];
  const isOther = /^[TR]/i.test(text.trim()) && text.trim().charAt(0).toUpperCase() !== letter;
  if (number === undefined || isOther || !sides[letter].includes(side.toUpperCase())) return null;
  return `${letter}${number}${half === undefined ? '' : '½'}${side.toUpperCase()}`;
}
