import os from 'node:os';
import { defineConfig } from 'vitest/config';

/** Where .ci/run wants the counts of the run. */
const report = process.env.PLATBOOK_TEST_REPORT;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // Vitest leaves one processor free, which on two is half of them; no test asserts time.
    maxWorkers: os.availableParallelism(),
    testTimeout: 120_000,
    // What was waited for in vain is waited for once more, and reported so: a machine may stall for half a minute. What is
    // wrong fails at once.
    retry: { count: 1, condition: /Timeout \d+ms exceeded|timed out in \d+ms/ },
    hookTimeout: 120_000,
    reporters: report ? ['default', 'json'] : ['default'],
    ...(report ? { outputFile: { json: report } } : {}),
  },
});
