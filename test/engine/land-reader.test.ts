/** The seam between operations and land: a local home answers every operation at once. */
import { describe, expect, test } from 'vitest';
import { andThen, atOnce, repeat } from '../../engine/land/answered.ts';
import { operations } from '../../engine/operations/index.ts';
import { contextOf } from '../comps/operation-context.ts';
import { copyOfHome, engineOn, sampleHome } from '../support/homes.ts';

/** A batch lets other calls run between two of its parcels. */
const inTurns = ['get_ai_comp_values'];

test('a local home answers every example of every operation at once, with no promise between', async () => {
  const context = contextOf(engineOn(copyOfHome(sampleHome())));
  const examples = operations.flatMap((operation) => operation.examples.map(({ input }) => ({ operation, input })));
  expect(examples.length).toBeGreaterThan(20);
  for (const { operation, input } of examples) {
    const answer: unknown = operation.run(input as never, context as never);
    expect(answer instanceof Promise, operation.name).toBe(inTurns.includes(operation.name));
    await answer;
  }
});

describe('answers of both kinds', () => {
  test('go on at once where they are there, and later where they are promised', async () => {
    expect(andThen(2, (two) => two + 1)).toBe(3);
    expect(await andThen(Promise.resolve(2), (two) => two + 1)).toBe(3);
    expect(() => atOnce(Promise.resolve(2))).toThrow(TypeError);
  });

  test('repeat until there is a result, also from a hundred thousand steps', async () => {
    const counting = (answer: (done: number | null) => number | null | Promise<number | null>) => {
      let steps = 0;
      return repeat(() => answer(++steps === 100_000 ? steps : null));
    };
    expect(counting((done) => done)).toBe(100_000);
    expect(await counting(async (done) => done)).toBe(100_000);
  });
});
