/** What each member of an expression in a mapping means; printed in data/DICTIONARY.md. */
import type { ExpressionObject } from './mapping-schema.ts';

interface MemberDocs {
  readonly docs: string;
  readonly example: ExpressionObject;
}

/** In the order in which they take effect. */
export const expressionMembers: { readonly [Name in keyof Required<ExpressionObject>]: MemberDocs } = {
  note: { docs: 'For readers of the mapping.', example: { from: 'ZONE', note: 'zoning of 2019' } },
  from: {
    docs: 'A column, `table.NAME` of the joined table, `$id`, another expression, or a list of which the first that is not empty counts.',
    example: { from: ['OWNER1', 'OWNER'] },
  },
  constant: { docs: 'The same for every row.', example: { constant: 'NH' } },
  concat: {
    docs: 'Several put together; empty ones are left out.',
    example: { concat: ['HOUSE', 'STREET'], separator: ' ' },
  },
  separator: { docs: 'Between the parts of `concat`.', example: { concat: ['LAST', 'FIRST'], separator: ', ' } },
  sum: { docs: 'Numbers added up.', example: { sum: ['LAND_VAL', 'BLDG_VAL'] } },
  minus: { docs: 'Numbers taken from the `sum`.', example: { sum: ['TOTAL'], minus: ['LAND_VAL'] } },
  nullIf: {
    docs: 'Texts and numbers that stand for nothing, in place of those of the column.',
    example: { from: 'YRBUILT', nullIf: ['UNKNOWN', 0] },
  },
  split: {
    docs: 'The part of that place, counted from 0, from -1 at the end.',
    example: { from: 'CITYSTATE', split: { separator: ',', index: 0 } },
  },
  slice: { docs: 'Letters from one place to before another.', example: { from: 'SALEDATE', slice: [0, 8] } },
  wholeNumber: {
    docs: 'A whole number without the `.0` that programs add where a column has gaps; other texts stay.',
    example: { from: 'PIN', wholeNumber: true },
  },
  lettersAndDigits: {
    docs: 'Letters and digits, without what stands between them.',
    example: { from: 'PIN', lettersAndDigits: true },
  },
  digits: { docs: 'Digits alone.', example: { from: 'PIN', digits: true } },
  apnGroups: {
    docs: 'Groups of `size` letters, or between `by`, without leading zeros.',
    example: { from: 'PID', apnGroups: { size: 6, separator: '-', dropTrailingZeroGroups: true } },
  },
  pad: { docs: 'Filled up at the left.', example: { from: 'ZIP', pad: { length: 5, with: '0' } } },
  map: { docs: 'Codes and what they mean; others stay.', example: { from: 'USE', map: { '130': 'vacant land' } } },
  otherwise: { docs: 'For codes that `map` lacks.', example: { from: 'USE', map: { V: 'vacant' }, otherwise: null } },
  scaleBy: {
    docs: 'A number times the factor of its row’s unit, which another column says or, without `unit`, the value itself (`5.2 acres`). A unit that is not listed is reported, and the value is null.',
    example: { from: 'AREA', scaleBy: { unit: 'AREA_UNIT', factors: { AC: 1, SF: 0.0000229568 } } },
  },
  scale: {
    docs: 'A number times this: 0.0000229568 makes acres of square feet, 0.01 dollars of cents.',
    example: { from: 'LOT_SQFT', scale: 0.0000229568 },
  },
  date: {
    docs: 'How dates are written; without it each is read for itself.',
    example: { from: 'SALEDT', date: 'YYYYMMDD' },
  },
  yes: { docs: 'Texts that mean yes.', example: { from: 'VACANT', yes: ['V'] } },
  no: { docs: 'Texts that mean no.', example: { from: 'VACANT', yes: ['V'], no: ['I'] } },
};
