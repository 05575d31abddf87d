import os from 'node:os';
import { defineConfig } from 'vitest/config';
import { essentialWindows, fuzz, outside, pure, withoutWindow } from './test/projects.ts';

/** Where .ci/run wants the counts of the run. */
const report = process.env.PLATBOOK_TEST_REPORT;

const inUi = (names: readonly string[]) => names.map((name) => `test/ui/${name}.test.ts`);
const homes = { globalSetup: ['test/support/global-setup.ts'], setupFiles: ['test/support/setup.ts'] };

export default defineConfig({
  test: {
    // Vitest leaves one processor free, which on two is half of them; no test asserts time.
    maxWorkers: os.availableParallelism(),
    reporters: report ? ['default', 'json'] : ['default'],
    ...(report ? { outputFile: { json: report } } : {}),
    projects: [
      { test: { name: 'unit', include: pure, pool: 'threads', isolate: false, testTimeout: 15_000 } },
      {
        test: {
          name: 'engine',
          include: ['test/**/*.test.ts'],
          exclude: [...pure, ...outside, 'test/ui/**', 'test/bench/**', '**/node_modules/**'],
          ...homes,
          pool: 'forks',
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'window',
          include: inUi([...essentialWindows, ...withoutWindow]),
          ...homes,
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'more-windows',
          include: inUi(['*']),
          exclude: [...pure, ...outside, ...inUi([...essentialWindows, ...withoutWindow])],
          ...homes,
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'outside',
          include: [...outside, ...fuzz],
          provide: { isThorough: true },
          ...homes,
          pool: 'forks',
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // What was waited for in vain is waited for once more, and reported so: another program may stall for half a
          // minute. What is wrong fails at once.
          retry: { count: 1, condition: /Timeout \d+ms exceeded|timed out in \d+ms/ },
        },
      },
    ],
  },
});
