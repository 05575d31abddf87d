/** Lines of reports, whatever they count. */
import { expect, test } from 'vitest';
import { nextText } from '../../engine/cli/map-command.ts';
import type { Proposal } from '../../engine/importing/guess/propose-mapping.ts';
import { compImportLines, leftOutWords } from '../../engine/spec/comp-import-lines.ts';
import { counted, grouped } from '../../engine/spec/counted.ts';
import { checkLines, fillLines, fillPercent } from '../../engine/spec/import-checks.ts';
import { importLots, lot, openLand } from './fixtures.ts';

test('a count of one has singular words, any other plural ones', () => {
  expect([0, 1, 2, 1200].map((count) => counted(count, 'row is', 'rows are'))).toEqual([
    '0 rows are',
    '1 row is',
    '2 rows are',
    '1,200 rows are',
  ]);
});

test('digits are grouped as in English, without the time that loading its rules takes', () => {
  const numbers = [0, 7, 999, 1000, 12_345.6, 999_999.125, 1_234_567, -1, -1234, -123_456.75, 2 ** 53];
  expect(numbers.map(grouped)).toEqual(numbers.map((one) => one.toLocaleString('en-US')));
});

test('the next command of a table with several rows of one key names the choice that the import asks for', () => {
  const proposal = {
    profile: null,
    mapping: { name: 'm', columns: { apn: 'PIN' } },
    isSure: true,
    questions: [],
  } as const;
  const next = (several: number, join_rows?: string) =>
    nextText({ ...proposal, joins: [{ several }] } as unknown as Proposal, {
      ...{ file: 'lots.zip', fips: '33019', saved: null },
      flags: { join: ['roll.csv'], ...(join_rows && { join_rows }) },
    });
  expect(next(0)).not.toContain('--join-rows');
  expect(next(8)).toMatch(/import parcels lots\.zip .*--join-rows <CHOICE>/);
  expect(next(8, 'first')).toMatch(/import parcels lots\.zip .*--join-rows first/);
});

/** Verbs and nouns of more than one. */
const plural = /^(\w+s|lie|are|repeat) /;

test('no line of a comps report speaks of one row as of several', () => {
  const one = { count: 1 };
  const names = ['linked_by_apn', 'linked_by_place', 'unlinked', 'without_lot_size', 'older', 'removed', 'repeated'];
  const more = ['told_again', 'derived_replaced', 'blank_rows'];
  const counts = Object.fromEntries([...names, ...more].map((name) => [name, 1]));
  const left = Object.fromEntries(Object.keys(leftOutWords).map((name) => [name, 1]));
  const report = { ...counts, left_out: left, value_problems: one, refused: one };
  const lines = compImportLines(report as unknown as Parameters<typeof compImportLines>[0]);
  expect(lines).toHaveLength(names.length + more.length + Object.keys(leftOutWords).length + 2);
  expect(
    lines.map(({ words }) => words).filter((words) => plural.test(words) && !/^(lies|is|repeats) /.test(words)),
  ).toEqual([]);
});

test('a line that names every stacked account promises no more of them', async () => {
  const lots = [lot('5-1', 0), { ...lot('5-1-A', 1), geometry: null }];
  const wordsOf = async (more: typeof lots) => {
    const report = await importLots(openLand(), [...lots, ...more], { accounts: 'stacked' });
    return checkLines([report], report.features_read).find(({ id }) => id === 'stacked')?.words ?? '';
  };
  expect(await wordsOf([])).toMatch(/^5-1-A on 5-1;/);
  const others = ['5-1-B', '5-1-C'].map((apn) => ({ ...lot(apn, 1), geometry: null }));
  expect(await wordsOf(others)).toMatch(/^5-1-A on 5-1, 5-1-B on 5-1 …;/);
});

test('a report that counted repeated rows each time says no share above the whole', () => {
  const old = { features_read: 3, refused: { count: 0 }, duplicates: 1, coverage: { apn: 3, acres: 2 } };
  const lines = fillLines([{ ...old, examples: { apn: ['7-1'], acres: [2] } }]);
  expect(lines.map(({ filled, of }) => fillPercent(filled, of))).toEqual(['at most 100\u00a0%', '100\u00a0%']);
});
