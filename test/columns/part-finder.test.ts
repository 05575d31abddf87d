/** The words found by their runs of bytes are those found by looking at each. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CountyMemory } from '../../engine/columns/county-memory.ts';
import { packTexts, TextTable } from '../../engine/columns/text-table.ts';

/** Few letters, so that words repeat runs and hold parts often; some of two and four bytes. */
const letters = fc.constantFrom('A', 'B', 'A', 'B', 'É', '𝔸');
const word = fc.string({ unit: letters, maxLength: 9 });

test('a part is found in the words that hold it, in their order', () => {
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 60 }),
      fc.string({ unit: letters, minLength: 1, maxLength: 5 }),
      (words, part) => {
        const finder = new TextTable(packTexts(words)).finder(new CountyMemory(words.length));
        const expected = words.flatMap((text, index) => (text.includes(part) ? [index] : []));
        const found = finder.find(Buffer.from(part));
        expect(found && [...found]).toEqual(Buffer.byteLength(part) < 3 ? null : expected);
      },
    ),
    { numRuns: 2000 },
  );
});
