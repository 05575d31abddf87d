/** The import screen without a browser: lines of a mapping and back, rules in words, counts of a report. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Mapping, Proposal } from '../../engine/work/import-answers.ts';
import { endingWords, toastWords } from '../../renderer/import/ending-words.ts';
import { readAsWords } from '../../renderer/import/expression-words.ts';
import { importing } from '../../renderer/import/import-state.ts';
import {
  canReadAll,
  groupOf,
  mappingOf,
  namesRead,
  rowsOfMapping,
  rowsOfProposal,
  withSaid,
  withTarget,
} from '../../renderer/import/mapping-rows.ts';
import { answered, isOpen } from '../../renderer/import/open-questions.tsx';
import { windowWords } from '../../renderer/import/window-words.ts';

const proposed = (column: string, source: string, confidence: number) => ({
  ...{ column, source, confidence },
  label: column,
  expression: source,
  reasons: [`named ${source}`],
  sample: null,
  after: null,
  filled: 0,
  samples: [],
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
  joins: [],
  notes: [],
  isSure: true,
  questions: [],
};

test('an answer by click names the column, none, or the row that counts', () => {
  const choice = (value: string) => ({ value, label: value, filled: null, samples: [], effect: '' });
  const about = (what: string) => ({ about: what, text: '?', choices: [] });
  const state = { ...importing.get(), proposal, base: mapping, rows: rowsOfProposal(proposal) };
  const numbered = answered(state, about('apn'), choice('Q_U'));
  expect(mappingOf({ base: mapping, rows: numbered.rows ?? [] })?.columns.apn).toBe('Q_U');
  const none = answered(state, about('apn'), choice(''));
  expect(mappingOf({ base: mapping, rows: none.rows ?? [] })?.columns.apn).toBeUndefined();
  const summed = answered(state, about('rows'), choice('LAND=sum'));
  expect(summed.base?.join).toEqual({ parcel: 'PID', table: 'table.PID', rows: { LAND: 'sum' } });
  expect(isOpen({ ...state, ...summed }, about('rows'))).toBe(false);
});

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

  test('what the user said of a column stays in a newer proposal, and what was guessed does not', () => {
    const before = withTarget(rowsOfProposal(proposal), 'raw Q_U', 'external_id');
    const newer = { ...proposal, columns: [proposed('apn', 'table.PIN', 0.9)] };
    const kept = withSaid(rowsOfProposal(newer), before);
    expect(mappingOf({ base: mapping, rows: kept })?.columns).toEqual({ apn: 'table.PIN', external_id: 'Q_U' });
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
  ['situs_zip', { from: 'C', split: { separator: ' ', index: -1 } }, 'text, the last part at “ ”'],
  ['situs_city', { from: 'C', split: { separator: ',', index: 0 } }, 'text, part 1 at “,”'],
  [null, 'Q_U', 'shown with the parcel'],
] as const)('%s from %j is read as: %s', (column, expression, words) => {
  expect(readAsWords(column, expression)).toBe(words);
});

describe('an unfinished job', () => {
  const locked = { code: 'file_locked', message: 'Another program is writing land.sqlite. Try again when it is done.' };
  const ended = (kind: string, state: 'cancelled' | 'failed', report: unknown) => ({
    ...{ kind, state, report, title: 'The job' },
    error: state === 'failed' ? locked : null,
  });
  const words = (kind: string, report: unknown) => {
    const [cancelled, failed] = [ended(kind, 'cancelled', report), ended(kind, 'failed', report)];
    return [endingWords(cancelled), endingWords(failed), toastWords(cancelled), toastWords(failed)];
  };

  test('leaves everything as it was where nothing is kept', () => {
    expect(words('import_parcels', null)).toEqual([
      'Cancelled. Everything is as it was.',
      'The import failed. Everything is as it was.',
      'The job: cancelled',
      `The job: ${locked.message}`,
    ]);
  });

  test.each([
    [
      'import_parcels',
      { fips: '33019', import_id: 4, completed: [] },
      'The import of the parcels is in and can be taken',
    ],
    ['import_parcels', { counties: [], completed: [] }, 'The import of the parcels is in and can be taken back under'],
    ['undo_import', { fips: '33019', import_id: 4, completed: [] }, 'The import is taken back. Layers may not'],
    ['import_comps', { new: 4 }, 'The comps are in, and land is priced from them; their import has no undo.'],
    ['derive_comps', { comps: 4 }, 'The comps are made, in place of those made before'],
    ['import_contacts', { new: 4 }, 'The contacts are in.'],
    ['enrich', { kind: 'roads' }, 'The layer is in'],
    [
      'enrich_again',
      { completed: ['roads', 'flood'] },
      'Computed again: roads, flood zones. Other layers may still wait',
    ],
    ['delete_dataset', { import_id: 5 }, 'The dataset is removed and can be brought back under Loaded.'],
  ])('says what is in of %s', (kind, report, start) => {
    for (const said of words(kind, report)) {
      expect(said).toContain(start);
      expect(said).not.toContain('as it was');
    }
    expect(toastWords(ended(kind, 'failed', report))).toContain(locked.message);
  });

  test('of a list run says nothing more: the run itself shows its progress', () => {
    expect(words('list_values', { found: 4, tokens: 40 }).slice(2)).toEqual([
      'The job: cancelled',
      `The job: ${locked.message}`,
    ]);
  });
});

describe('the engine’s words in the window', () => {
  test('name the file and the field, not its path and an option', () => {
    importing.set({ chosen: ['/home/ann/land/lots.geojson', 'C:\\land\\lots'] });
    onTestFinished(() => importing.set({ chosen: [] }));
    expect(
      windowWords(
        '0 of the 3 checked parcels of /home/ann/land/lots.geojson lie in Adams (31001); 3 lie in Hall (31079). Give the code of their own county (--county 31079), or the coordinate system of the file (--crs) if it names a wrong one. If they are of Adams all the same, import them with --anywhere.',
      ),
    ).toBe(
      '0 of the 3 checked parcels of lots.geojson lie in Adams (31001); 3 lie in Hall (31079). Give the code of their own county (“County” 31079), or the coordinate system of the file (“Coordinate system”) if it names a wrong one.',
    );
    expect(windowWords('C:\\land\\lots\\a.shp: expected a .prj, found none.')).toBe(
      'lots\\a.shp: expected a .prj, found none.',
    );
    expect(windowWords('/elsewhere/of another job/roll.csv: expected parcels, found none.')).toBe(
      'roll.csv: expected parcels, found none.',
    );
  });

  test('leave alone what is no path and no option', () => {
    const words = 'lots.csv: row 3: 4/5/2020 -- or 1/2 acre: expected a date; see https://example.com/a: no.';
    expect(windowWords(words)).toBe(words);
  });
});
