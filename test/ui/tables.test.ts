/** The renderer's tables, without a browser: commands, sections, sentences, and the copied requests, which are run. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { operationsByName } from '../../engine/operations/index.ts';
import { apiBase } from '../../engine/operations/operation.ts';
import { choiceWords } from '../../engine/spec/choice-words.ts';
import { filterKinds } from '../../engine/spec/filter-kinds.ts';
import { phrasesOf } from '../../engine/spec/filter-sentence.ts';
import { filters } from '../../engine/spec/filters.ts';
import { commands } from '../../renderer/commands.ts';
import {
  activeFilters,
  type FilterBody,
  isSameFilter,
  publicBody,
  withFields,
  withUnknownMode,
} from '../../renderer/explore/filter-body.ts';
import { panelSections } from '../../renderer/explore/panel-sections.ts';
import { filterPath, searchRequest } from '../../renderer/explore/search-request.ts';
import { tableColumns } from '../../renderer/explore/table-columns.tsx';
import {
  formatMonths,
  formatNumber,
  formatPercent,
  hasCommasInPlace,
  keepPercents,
  parseNumber,
} from '../../renderer/parts/format.ts';
import { copyForms } from '../../renderer/state/copy-request.ts';
import { serving } from '../http/client.ts';
import { fixtureFips } from '../support/fixture-home.ts';
import { emptyHome } from '../support/homes.ts';
import { platbookUntil } from '../support/platbook.ts';
import { requireOrSkip } from '../support/require.ts';

const words = { countyName: () => 'Alder County' };
const sentence = (body: FilterBody): string =>
  `Parcels${phrasesOf(body, words)
    .map(({ before, text }) => before + text)
    .join('')}`;

describe('the filter as the panel holds it', () => {
  test('every filter stands in exactly one section', () => {
    const placed = panelSections.flatMap(({ rows }) => rows.map(({ name }) => name));
    expect(placed.toSorted()).toEqual(filters.map(({ name }) => name).toSorted());
  });

  test('reads as a sentence, with the mock’s words', () => {
    const body = {
      county: '99001',
      acres_min: 5,
      acres_max: 80,
      out_of_state_owner: true,
      exclude_corp_owner: true,
      owner_name_exclude_words: ['ESTATE', 'LAND TRUST'],
      vacant_only: true,
      flood_zone_percent_max: 10,
    };
    expect(sentence(body)).toBe(
      'Parcels in Alder County of 5 to 80 acres, owner out of state, not a company, no ESTATE or LAND TRUST, vacant, at most 10\u00a0% in a flood zone',
    );
    expect(sentence({ ...body, include_unknown: ['flood_zone_percent'] })).toMatch(
      /at most 10\u00a0% in a flood zone or unknown$/,
    );
    expect(sentence({ county: '99001', flood_zone_percent_max: 10, only_unknown: ['flood_zone_percent'] })).toMatch(
      /, flood zone at most unknown$/,
    );
  });

  test('has a phrase for every filter of the table, and none of them is empty or says undefined', () => {
    const values: Record<string, unknown> = { number: 7, integer: 7, string: '20200131', boolean: true, array: ['A'] };
    for (const row of filters.filter(({ kind }) => kind !== 'frontage_type')) {
      const fields = Object.entries(filterKinds[row.kind].fields(row));
      const body = Object.fromEntries(
        fields.map(([field, schema]) => [field, values[(schema as { type?: string }).type ?? 'string']]),
      );
      const [phrase, ...others] = phrasesOf(body, words);
      expect([phrase?.filter, others], row.name).toEqual([row.name, []]);
      expect(phrase?.text, row.name).toMatch(/\S/);
      expect(`${phrase?.before}${phrase?.text}`, row.name).not.toMatch(/undefined|null|NaN|\[object/);
    }
  });

  test('a filter that is taken away takes its choice about unknowns along', () => {
    const body = withUnknownMode({ county: '99001', acres_min: 5 }, 'acres', 'keep');
    expect(body).toEqual({ county: '99001', acres_min: 5, include_unknown: ['acres'] });
    expect(withUnknownMode(body, 'acres', 'only')).toEqual({ county: '99001', acres_min: 5, only_unknown: ['acres'] });
    expect(withFields(body, { acres_min: undefined })).toEqual({ county: '99001' });
    expect(publicBody({ county: '99001', acres_min: 5, only_unknown: ['acres'] })).toEqual(body);
  });

  test('is the same whatever the order of its fields, and half a slope pair asks nothing', () => {
    expect(isSameFilter({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
    expect(isSameFilter({ county: '99001', slope_area_index: 5 }, { county: '99001' })).toBe(true);
    expect(
      activeFilters({ county: '99001', slope_area_index: 5, exclude_corp_owner: false }).map(({ name }) => name),
    ).toEqual(['county']);
  });
});

test('two codes of one name show the code, others their name alone', () => {
  const words = choiceWords([
    { value: 'CUUW', label: 'WOODS' },
    { value: 'CUMW', label: 'WOODS' },
    { value: 'R1', label: 'HOUSE' },
    { value: 'X', label: null },
  ]);
  expect([...words.values()]).toEqual(['WOODS (CUUW)', 'WOODS (CUMW)', 'HOUSE', 'X']);
});

test('numbers are read as people type them and written as people read them', () => {
  expect(['1,200', '$1200', '12 %', '−3', '.5', '5.'].map(parseNumber)).toEqual([1200, 1200, 12, -3, 0.5, 5]);
  expect(parseNumber('  ')).toBeUndefined();
  expect(['five', '1e3', '1-2', '--1'].map(parseNumber)).toEqual([null, null, null, null]);
  expect(['1,200', '$12,345,678.50', '12'].map(hasCommasInPlace)).toEqual([true, true, true]);
  expect(['10,5', '1,0.5', '1,2000', ',5', '1234,567'].map(hasCommasInPlace)).toEqual(Array(5).fill(false));
  expect(formatNumber(-1234.5)).toBe('−1,234.5');
  // A percent sign never begins a line.
  expect([formatPercent(50), keepPercents('counts 50 %.')]).toEqual(['50\u00a0%', 'counts 50\u00a0%.']);
  // 16 × 12 + 3.
  expect([formatMonths(195), formatMonths(36), formatMonths(0)]).toEqual(['16 yr 3 mo', '3 yr', '0 mo']);
});

/** Every token in order, whatever the formatter did to case, blanks and leading zeros. */
const tokensIn = (css: string): string[] =>
  [...css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/(--[\w-]+):([^;]+);/g)].map(
    ([, name, value = '']) =>
      `${name}: ${value
        .toLowerCase()
        .replace(/\s+/g, ' ')
        .replace(/(^|[ ,(])\./g, '$10.')
        .replace(/(\.\d*[1-9])0+\b/g, '$1')
        .trim()}`,
  );

test('tokens.css holds the design’s tokens and no others, where the design is at hand', () => {
  const root = path.resolve(import.meta.dirname, '..', '..');
  const design = path.resolve(root, '..', 'shared', 'design', 'mock', 'tokens.css');
  const own = tokensIn(fs.readFileSync(path.join(root, 'renderer', 'styles', 'tokens.css'), 'utf8'));
  expect(own).toContain('--panel-filter: 296px');
  expect(own.length).toBeGreaterThan(200);
  // The roles of the ground came after the mock.
  const isOfGround = (token: string) =>
    /^--map-(lot|line|match-line|water|road|building|halo|contour|relief|woods|rail|shield|public|wet|flood|place|summit|survey|here|track)\b/.test(
      token,
    );
  expect(own.filter(isOfGround)).toHaveLength(3 * 31);
  const older = own.filter((token) => !isOfGround(token));
  if (fs.existsSync(design)) {
    const mock = tokensIn(fs.readFileSync(design, 'utf8')).filter((token) => !isOfGround(token));
    expect(older).toEqual(mock);
  }
});

describe('the colors of the map', () => {
  const css = fs.readFileSync(path.join(import.meta.dirname, '..', '..', 'renderer', 'styles', 'tokens.css'), 'utf8');
  /** A theme's colors, over those of the light one. */
  const colorsOf = (theme: string) => {
    const block = (name: string) => css.slice(css.indexOf(`[data-theme="${name}"] {`)).split('\n}')[0] ?? '';
    const found = [...`${block('light')}${block(theme)}`.matchAll(/--map-([\w-]+): (#[\da-f]{6});/g)];
    return new Map(found.map(([, name, color]) => [name, color]));
  };
  /** WCAG 2.2, relative luminance. */
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (theme: string, one: string, other: string) => {
    const colors = colorsOf(theme);
    const [a, b] = [one, other].map((name) => luminance(colors.get(name) ?? '#808080'));
    const [dark = 0, light = 0] = [a ?? 0, b ?? 0].toSorted((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
  };
  const weak = (theme: string, names: readonly string[], grounds: readonly string[], least: number) =>
    names
      .flatMap((name) => grounds.map((ground) => ({ name, ground, ratio: contrast(theme, name, ground) })))
      .filter(({ ratio }) => ratio < least);

  test.each(['light', 'dark', 'outdoor'])('tell lot lines and bold contours from the ground by 3 to 1: %s', (theme) => {
    expect(contrast('light', 'select-casing', 'hover')).toBeGreaterThan(10);
    expect(weak(theme, ['line', 'match-line', 'contour-bold'], ['lot', 'woods'], 3)).toEqual([]);
  });

  test('tell every line of the ground by 3 to 1, and every letter by 7 to 1, in the outdoor theme of Field mode', () => {
    expect(weak('outdoor', ['contour', 'water-line', 'road-edge', 'public'], ['lot', 'woods'], 3)).toEqual([]);
    const letters = ['label', 'contour-label', 'water-label', 'public-label', 'road-label', 'place', 'summit'];
    expect(weak('outdoor', letters, ['lot', 'woods', 'halo'], 7)).toEqual([]);
  });

  test.each(['light', 'dark'])('tell letters from the ground by 4.5 to 1: %s', (theme) => {
    const letters = ['label', 'contour-label', 'water-label', 'public-label', 'road-label', 'place', 'summit'];
    expect(weak(theme, letters, ['lot', 'woods', 'halo'], 4.5)).toEqual([]);
  });
});

test('every column of the table has a name of its own, and so has every command and every key', () => {
  const doubles = (names: readonly (string | null)[]) =>
    names.filter((name, i) => name !== null && names.indexOf(name) !== i);
  expect(doubles(tableColumns.map(({ id }) => id))).toEqual([]);
  expect(doubles(commands.map(({ id }) => id))).toEqual([]);
  // A key may do one thing in Field mode, another on the Desk or a mailing (test/ui/desk.test.ts) and another elsewhere.
  const inField = commands.filter(({ field }) => field !== undefined);
  const elsewhere = commands.filter(({ field, of }) => field !== 'only' && of === undefined);
  const [ofDesk, ofMailing] = (['desk', 'mailing'] as const).map((part) => commands.filter(({ of }) => of === part));
  for (const some of [inField, ofDesk ?? [], ofMailing ?? [], elsewhere])
    expect(doubles(some.map(({ keys }) => keys))).toEqual([]);
});

describe('the copied request', () => {
  test('goes to the path of filter_properties', () => {
    expect(filterPath).toBe(`${apiBase}${operationsByName.get('filter_properties')?.http.path}`);
  });

  const programs: [string, string, (file: string) => [string, string[]]][] = [
    ['curl', '"count":50', (file) => ['sh', [file]]],
    ['python', '50 parcels', (file) => ['python3', [file]]],
    ['node', '50 parcels', (file) => [process.execPath, ['--input-type=module', '-e', fs.readFileSync(file, 'utf8')]]],
  ];
  const has = (name: string) =>
    requireOrSkip(
      name,
      (process.env.PATH ?? '').split(':').some((folder) => fs.existsSync(path.join(folder, name))),
      'the copied request is run with it',
    );

  test.each(programs)('as %s is run and finds what the filter finds', async (id, expected, command) => {
    if (id !== 'node' && !has(id === 'python' ? 'python3' : id)) return;
    const { server, key } = await serving();
    const form = copyForms.find((one) => one.id === id);
    // All fifty of the fixture: no owner has this name, whose quotes must survive every language.
    const body = { county: fixtureFips, owner_name_exclude_words: [`O'BRIEN "X"`] };
    const text = form?.text(searchRequest(body), server.baseUrl).replaceAll('YOUR_KEY', key) ?? '';
    const file = path.join(emptyHome(), 'request');
    fs.writeFileSync(file, text);
    const [program, args] = command(file);
    const out = await new Promise<string>((resolve, reject) =>
      execFile(program, args, (error, stdout, stderr) =>
        error ? reject(new Error(`${error.message} ${stderr}`)) : resolve(stdout),
      ),
    );
    expect(out).toContain(expected);
  });
});

test('serve prints a link that opens once', async () => {
  const { output } = await platbookUntil(emptyHome(), /App: http/, 'serve', '--port', '0');
  const link = /App: (http:\S+\/open\/\S+)/.exec(output())?.[1] ?? '';
  const first = await fetch(link, { redirect: 'manual' });
  expect([first.status, first.headers.get('location')]).toEqual([303, '/']);
  expect((await fetch(link, { redirect: 'manual' })).status).toBe(403);
});
