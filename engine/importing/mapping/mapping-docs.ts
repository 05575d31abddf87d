/** Descriptions of the members of a mapping expression; printed in data/DICTIONARY.md. */
import type { ExpressionObject } from './mapping-schema.ts';

interface MemberDocs {
  readonly docs: string;
  readonly example: ExpressionObject;
}

/** In the order of their effect. */
export const expressionMembers: { readonly [Name in keyof Required<ExpressionObject>]: MemberDocs } = {
  note: { docs: 'For readers of the mapping.', example: { from: 'ZONE', note: 'zoning of 2019' } },
  from: {
    docs: 'A column, `table.NAME` of the joined table, `$id`, another expression, or a list; its first value that is not empty counts.',
    example: { from: ['OWNER1', 'OWNER'] },
  },
  constant: { docs: 'The same for every row.', example: { constant: 'NH' } },
  concat: {
    docs: 'Several texts joined; empty ones are left out.',
    example: { concat: ['HOUSE', 'STREET'], separator: ' ' },
  },
  separator: { docs: 'Between the parts of `concat`.', example: { concat: ['LAST', 'FIRST'], separator: ', ' } },
  sum: { docs: 'Numbers added up.', example: { sum: ['LAND_VAL', 'BLDG_VAL'] } },
  minus: { docs: 'Numbers taken from the `sum`.', example: { sum: ['TOTAL'], minus: ['LAND_VAL'] } },
  lines: {
    docs: 'Lines of one address, the last filled of which is `CITY, ST ZIP`. If it is not, no city, state or ZIP is known, and every line is part of the street.',
    example: { lines: ['ADDR1', 'ADDR2', 'ADDR3'], part: 'city' },
  },
  part: {
    docs: 'Which part of `lines`: street (all lines above the last, care-of included), city, state or zip.',
    example: { lines: ['ADDR1', 'ADDR2', 'ADDR3'], part: 'street' },
  },
  nullIf: {
    docs: 'Texts and numbers that mean empty; they replace the default list of the column.',
    example: { from: 'YRBUILT', nullIf: ['UNKNOWN', 0] },
  },
  split: {
    docs: 'The part at this index, from 0; -1 is the last.',
    example: { from: 'CITYSTATE', split: { separator: ',', index: 0 } },
  },
  slice: {
    docs: 'Letters from one index up to, but excluding, another.',
    example: { from: 'SALEDATE', slice: [0, 8] },
  },
  words: {
    docs: 'Words from one index up to, but excluding, another, with one blank between; -1 is the last.',
    example: { from: 'CITYSTZIP', words: [0, -2] },
  },
  wholeNumber: {
    docs: 'A whole number without the `.0` that programs add in a column with gaps; other texts stay.',
    example: { from: 'PIN', wholeNumber: true },
  },
  decimalComma: {
    docs: 'A number with a decimal comma: `1.234,5` is 1234.5.',
    example: { from: 'ACRES', decimalComma: true },
  },
  lettersAndDigits: {
    docs: 'Letters and digits only.',
    example: { from: 'PIN', lettersAndDigits: true },
  },
  digits: { docs: 'Digits alone.', example: { from: 'PIN', digits: true } },
  apnGroups: {
    docs: 'Groups of `size` letters, or between `by`, without leading zeros.',
    example: { from: 'PID', apnGroups: { size: 6, separator: '-', dropTrailingZeroGroups: true } },
  },
  pad: { docs: 'Padded at the left.', example: { from: 'ZIP', pad: { length: 5, with: '0' } } },
  map: { docs: 'Codes and what they mean; others stay.', example: { from: 'USE', map: { '130': 'vacant land' } } },
  otherwise: { docs: 'For codes that `map` lacks.', example: { from: 'USE', map: { V: 'vacant' }, otherwise: null } },
  scaleBy: {
    docs: 'A number times the factor of its row’s unit, which another column says or, without `unit`, the value itself (`5.2 acres`). A unit that is not listed is reported, and the value is null.',
    example: { from: 'AREA', scaleBy: { unit: 'AREA_UNIT', factors: { AC: 1, SF: 0.0000229568 } } },
  },
  scale: {
    docs: 'A number times this: 0.0000229568 turns square feet into acres, 0.01 cents into dollars.',
    example: { from: 'LOT_SQFT', scale: 0.0000229568 },
  },
  date: {
    docs: 'The format of dates; without it each is read by itself.',
    example: { from: 'SALEDT', date: 'YYYYMMDD' },
  },
  yes: { docs: 'Texts that mean yes.', example: { from: 'VACANT', yes: ['V'] } },
  no: { docs: 'Texts that mean no.', example: { from: 'VACANT', yes: ['V'], no: ['I'] } },
};
