/** `platbook trace call`: the files of a request, and how many a warm filter runs. */
import { expect, test } from 'vitest';
import { traceCall } from '../../engine/cli/trace-command.ts';
import { engineOn, sampleHome } from '../support/homes.ts';

const filter = { county: '99001', acres_min: 5 };

test('names the files that a filter runs, its steps and functions, and charges nothing', async () => {
  const engine = engineOn(sampleHome());
  const { files, steps } = await traceCall(engine, 'filter_properties', filter);
  const named = new Map(files.map(({ file, functions }) => [file, functions]));
  // Each file more is a file more for whoever follows a call.
  expect(files.length).toBeLessThanOrEqual(28);
  expect(named.get('engine/operations/filter-properties.ts')).toContain('run');
  expect(named.has('engine/query/find-parcels.ts')).toBe(true);
  expect(named.has('engine/comps/comp-value.ts')).toBe(false);
  expect(steps.map(({ name }) => name)).toContain('callUnchecked');
  expect(engine.account.file.column('SELECT count(*) FROM ledger')).toEqual([0]);
});

test('a call that is refused is not traced', async () => {
  const engine = engineOn(sampleHome());
  await expect(traceCall(engine, 'filter_properties', { acres_min: 5 })).rejects.toMatchObject({
    code: 'validation_error',
  });
});
