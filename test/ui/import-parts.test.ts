/** The import screen without a browser: lines of a mapping and back, rules in words, counts of a report. */
import { describe, expect, test } from 'vitest';
import type { Mapping, Proposal } from '../../engine/work/import-answers.ts';
import { readAsWords } from '../../renderer/import/expression-words.ts';
import {
  canReadAll,
  groupOf,
  mappingOf,
  namesRead,
  rowsOfMapping,
  rowsOfProposal,
  withTarget,
} from '../../renderer/import/mapping-rows.ts';

const proposed = (column: string, source: string, confidence: number) => ({
  ...{ column, source, confidence },
  label: column,
  expression: source,
  reasons: [`named ${source}`],
  sample: null,
  after: null,
});

const mapping: Mapping = {
  name: 'guessed',
  join: { parcel: 'PID', table: 'table.PID' },
  columns: { apn: 'PID', owner_name: 'table.OWNER' },
};

const proposal: Proposal = {
  file: 'x.zip',
  profile: null,
  mapping,
  columns: [proposed('apn', 'PID', 0.99), proposed('owner_name', 'table.OWNER', 0.72)],
  undecided: [proposed('zoning', 'ZN', 0.5)],
  unmapped: [
    { name: 'ZN', reason: null, sample: 'R1' },
    { name: 'Q_U', reason: null, sample: 'Q' },
  ],
  join: null,
  notes: [],
  isSure: true,
};

describe('the lines of a mapping', () => {
  test('a proposal is taken, offered or kept raw, each column once', () => {
    const rows = rowsOfProposal(proposal);
    expect(rows.map((row) => [row.source, row.target, groupOf(row)])).toEqual([
      ['ZN', null, 'needs'],
      ['PID', 'apn', 'taken'],
      ['table.OWNER', 'owner_name', 'needs'],
      ['Q_U', null, 'raw'],
    ]);
    expect(mappingOf({ base: mapping, rows })).toEqual(mapping);
  });

  test('a column that another row takes is offered to the one that had it, and a choice of the user needs no look', () => {
    const rows = withTarget(rowsOfProposal(proposal), 'raw Q_U', 'owner_name');
    expect(rows.map((row) => [row.source, row.target, row.offered, groupOf(row)])).toEqual([
      ['ZN', null, 'zoning', 'needs'],
      ['PID', 'apn', null, 'taken'],
      ['table.OWNER', null, 'owner_name', 'needs'],
      ['Q_U', 'owner_name', null, 'taken'],
    ]);
    // Nothing reads the table any more, so it is not joined.
    expect(mappingOf({ base: mapping, rows })).toEqual({ name: 'guessed', columns: { apn: 'PID', owner_name: 'Q_U' } });
  });

  test('without any column there is no mapping', () => {
    const rows = rowsOfProposal(proposal).map((row) => ({ ...row, target: null }));
    expect(mappingOf({ base: mapping, rows })).toBeNull();
  });

  test('a kept mapping comes first, and what it does not read is offered as it is proposed', () => {
    const kept: Mapping = { name: 'county_33019', columns: { apn: 'PID' } };
    expect(rowsOfMapping(kept, proposal).map((row) => [row.source, row.target, row.offered])).toEqual([
      ['PID', 'apn', null],
      ['ZN', null, 'zoning'],
      ['table.OWNER', null, 'owner_name'],
      ['Q_U', null, null],
    ]);
    expect(canReadAll(kept, ['pid', 'ZN'])).toBe(true);
    expect(canReadAll(mapping, ['PID', 'table.PID'])).toBe(false);
  });

  test('the columns of an expression are found in all of its parts', () => {
    expect(namesRead({ concat: ['A', { from: ['B', 'C'] }] })).toEqual(['A', 'B', 'C']);
    expect(namesRead({ sum: ['A'], minus: [{ from: 'B' }] })).toEqual(['A', 'B']);
    expect(namesRead({ constant: 'NH' })).toEqual([]);
  });
});

test.each([
  ['apn', 'MAPLOT', 'kept as written'],
  ['last_sale_date', { from: 'D', date: 'YYYYMMDD', nullIf: [0] }, 'YYYYMMDD, 0 is unknown'],
  ['acres', { from: 'A', scale: 1 / 43_560 }, 'square feet to acres, 0 is unknown'],
  ['situs_state', { constant: 'NH' }, 'always "NH"'],
  ['mailing_zip', { concat: ['ZIP', 'ZIP4'], pad: { length: 5, with: '0' } }, 'text, put together, pad to 5'],
  [null, 'Q_U', 'shown with the parcel'],
] as const)('%s from %j is read as: %s', (column, expression, words) => {
  expect(readAsWords(column, expression)).toBe(words);
});
