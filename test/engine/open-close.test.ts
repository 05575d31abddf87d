/** A home is made only where that was asked for, and a closed engine says so. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Caller, EngineError, type EngineOptions, openEngine } from '../../engine/index.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { platbook } from '../support/platbook.ts';

const refusal = (work: () => unknown): Pick<EngineError, 'code' | 'message' | 'details'> => {
  try {
    work();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('expected a refusal');
};

test('a home that does not exist is refused, and made with create: true', () => {
  const folder = emptyHome();
  const home = path.join(folder, 'hmoe');
  const { code, message } = refusal(() => openEngine({ home }));
  expect(code).toBe('home_missing');
  expect(message).toMatch(/There is no home in .*hmoe: no folder .*create: true/);
  expect(fs.readdirSync(folder)).toEqual([]);
  openEngine({ home, create: true }).close();
  openEngine({ home }).close();
});

test.each<[unknown, Record<string, RegExp>]>([
  [undefined, { home: /required: expected the folder of a home/ }],
  [null, { home: /required/ }],
  [{ hom: 'x' }, { hom: /unknown field; did you mean home\?/, home: /required/ }],
  [{ home: 5 }, { home: /expected the folder of a home, found 5/ }],
  [{ home: 'x', keepIndexes: false }, { keepIndexes: /did you mean keepsIndexes\?/ }],
  [{ home: 'x', create: 'yes' }, { create: /expected true or false, found "yes"/ }],
  ['x', { non_field_errors: /found "x"/ }],
])('openEngine(%j) names the options that are wrong', (options, expected) => {
  const { code, details } = refusal(() => openEngine(options as EngineOptions));
  expect(code).toBe('validation_error');
  expect(Object.keys(details ?? {}).toSorted()).toEqual(Object.keys(expected).toSorted());
  for (const [name, words] of Object.entries(expected)) expect(details?.[name]?.[0]).toMatch(words);
});

test('a folder of other files is no home, and stays as it is', () => {
  const folder = emptyHome();
  fs.writeFileSync(path.join(folder, 'letter.txt'), 'Dear Ana');
  expect(refusal(() => openEngine({ home: folder })).message).toMatch(/a folder without account\.sqlite/);
  expect(fs.readdirSync(folder)).toEqual(['letter.txt']);
});

test.each([
  ['call', 'get_usage'],
  ['mcp'],
  ['plan', 'show'],
  ['feeds', 'make', 'search', '{"county":"99001"}', '--name', 'x'],
  ['backup', 'b.zip'],
])('platbook %s %s makes no home', async (...command) => {
  const home = path.join(emptyHome(), 'hmoe');
  const { code, err } = await platbook(home, ...command);
  expect(code).not.toBe(0);
  expect(err).toMatch(/hmoe/);
  expect(fs.existsSync(home)).toBe(false);
});

test('every call after close() says closed, and closing twice is no fault', async () => {
  const engine = engineOn(sampleHome());
  engine.close();
  engine.close();
  const closed = expect.objectContaining({ code: 'closed' });
  await expect(engine.call('get_usage')).rejects.toEqual(closed);
  await expect(engine.whole('list_comps', { fips: '99001' })).rejects.toEqual(closed);
  await expect(engine.each('list_comps', { fips: '99001' }).next()).rejects.toEqual(closed);
  await expect(engine.explainCompValue(3)).rejects.toEqual(closed);
  await expect(engine.deleteContact({ phone: '9375550117' })).rejects.toEqual(closed);
  expect(refusal(() => engine.sql('SELECT 1')).code).toBe('closed');
  expect(refusal(() => engine.allowContact({ phone: '9375550117' })).code).toBe('closed');
});

test('an operation without required fields takes no input', async () => {
  const engine = engineOn(sampleHome());
  const caller: Caller = { mode: 'script', requestId: 'mine' };
  expect((await engine.call('get_usage')).data).toEqual((await engine.call('get_usage', {})).data);
  expect((await engine.call('list_datasets', undefined, caller)).requestId).toBe('mine');
  // @ts-expect-error: this one needs its fields
  await expect(engine.call('search_properties')).rejects.toMatchObject({ code: 'validation_error' });
});
