/** Iterating over a list that is charged row by row, under an Idempotency-Key: every page has its own charge. */
import { beforeEach, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { engineOn, sampleHome } from '../support/homes.ts';

let engine: Engine;
beforeEach(() => {
  engine = engineOn(sampleHome(), { now: () => new Date('2026-11-20T12:00:00Z') });
});

const tokensUsed = () => engine.account.file.get<{ n: number }>('SELECT total(tokens) AS n FROM ledger')?.n;

async function iterate(key: string, size?: number, most = Infinity): Promise<number> {
  let count = 0;
  const input = { fips: '99001', ...(size === undefined ? {} : { page_size: size }) };
  for await (const comp of engine.each('list_comps', input, { mode: 'script', idempotencyKey: key })) {
    expect(comp.id).toMatch(/^[0-9a-f-]{36}$/);
    if (++count === most) break;
  }
  return count;
}

// 900 comps: pages of 500 and 400
test.each(['order-17', 'k'.repeat(128)])('charges each comp once, and a repeat nothing: key %s', async (key) => {
  expect(await iterate(key)).toBe(900);
  expect(tokensUsed()).toBe(900);
  expect(await iterate(key)).toBe(900);
  expect(tokensUsed()).toBe(900);
  expect(await iterate(`${key.slice(0, 8)}-other`)).toBe(900);
  expect(tokensUsed()).toBe(1800);
});

test('that is broken off is charged for the pages it read, and a repeat for those it did not', async () => {
  await iterate('order-17', 300, 450);
  expect(tokensUsed()).toBe(600);
  expect(await iterate('order-17', 300)).toBe(900);
  expect(tokensUsed()).toBe(900);
});

test('under a key that stood for another list is refused at its first page', async () => {
  await iterate('order-17', 300);
  await expect(iterate('order-17', 200)).rejects.toThrow(/Idempotency-Key was used for another input/);
  expect(tokensUsed()).toBe(900);
});
