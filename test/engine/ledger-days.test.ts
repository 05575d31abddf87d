/** The ledger by days: always equal to the sums of the ledger itself. */
import path from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { billingPeriod } from '../../engine/account/billing-period.ts';
import { chargeCount, daySums, tokensBetween } from '../../engine/account/ledger-days.ts';
import { checkHome } from '../../engine/check.ts';
import { type AccountStore, openAccountStore } from '../../engine/store/account-store.ts';
import { accountMigrations } from '../../engine/store/migrations/account.ts';
import { applicationId } from '../../engine/store/sqlite.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { runs } from '../support/runs.ts';

const insertSql = `INSERT INTO ledger (call_id, charged_at, period_start, endpoint, mode, tokens, period_total)
  VALUES (?, ?, '', ?, ?, ?, 0)`;

const charge = fc.record({
  // Two years of whole milliseconds, so that midnights and month ends are met.
  at: fc.oneof(
    fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 11, 31) }),
    fc.integer({ min: 0, max: 700 }).map((day) => Date.UTC(2026, 0, 1) + day * 86_400_000),
    fc.integer({ min: 1, max: 700 }).map((day) => Date.UTC(2026, 0, 1) + day * 86_400_000 - 1),
  ),
  endpoint: fc.constantFrom('public_filter', 'public_search', 'public_ai_comp_value'),
  mode: fc.constantFrom('direct', 'app', 'script'),
  tokens: fc.integer({ min: 1, max: 1000 }),
});
type Charge = typeof charge extends fc.Arbitrary<infer Value> ? Value : never;

let calls = 0;
const valuesOf = ({ at, endpoint, mode, tokens }: Charge) => [
  `call ${calls++}`,
  new Date(at).toISOString(),
  endpoint,
  mode,
  tokens,
];

/** The same from the ledger alone. */
function plainly({ file }: AccountStore, { start, end }: { start: string; end: string }) {
  return file.all(
    `SELECT substr(charged_at, 1, 10) AS date, endpoint, mode, sum(tokens) AS tokens_used FROM ledger
     WHERE charged_at >= ? AND charged_at < ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    start,
    end,
  );
}

function expectEqual(account: AccountStore, now: number, anchorDay: number): void {
  const period = billingPeriod(new Date(now), anchorDay);
  const plain = plainly(account, period);
  expect(daySums(account, period)).toEqual(plain);
  const sum = plain.reduce((total, row) => total + (row.tokens_used as number), 0);
  expect(tokensBetween(account, period)).toBe(sum);
  expect(chargeCount(account)).toBe(account.file.get<{ n: number }>('SELECT count(*) AS n FROM ledger')?.n);
}

test('days of any period are what the ledger adds up to, whatever the anchor day, and after what was taken back', () => {
  const account = openAccountStore(emptyHome());
  fc.assert(
    fc.property(
      fc.array(charge, { maxLength: 40 }),
      fc.integer({ min: 1, max: 31 }),
      fc.boolean(),
      (charges, anchorDay, isTakenBack) => {
        const write = () => {
          for (const one of charges) account.file.run(insertSql, ...valuesOf(one));
          if (isTakenBack) throw new RangeError('taken back');
        };
        try {
          account.file.transaction(write);
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
        }
        for (const { at } of charges.slice(0, 3)) expectEqual(account, at, anchorDay);
      },
    ),
    { numRuns: runs(100, 100), seed: 20261120 },
  );
  expect(chargeCount(account)).toBeGreaterThan(200);
  account.close();
});

test('a file from before the sums gets them; one whose trigger was missing for a while gets them again', () => {
  const home = emptyHome();
  const filePath = path.join(home, 'account.sqlite');
  const sumsAt = accountMigrations.findIndex((sql) => sql.includes('CREATE TABLE ledger_days'));
  const old = new Database(filePath);
  for (const migration of accountMigrations.slice(0, sumsAt)) old.exec(migration);
  old.pragma(`user_version = ${sumsAt}`);
  old.pragma(`application_id = ${applicationId('PLBA')}`);
  const some = fc.sample(charge, { numRuns: 300, seed: 7 });
  for (const one of some) old.prepare(insertSql).run(...valuesOf(one));
  old.close();

  const account = openAccountStore(home);
  expect(chargeCount(account)).toBe(300);
  for (const { at } of some.slice(0, 20)) expectEqual(account, at, 15);
  account.close();

  const other = new Database(filePath);
  other.exec('DROP TRIGGER ledger_days_added');
  for (const one of some) other.prepare(insertSql).run(...valuesOf(one));
  other.close();
  const repaired = openAccountStore(home);
  expect(chargeCount(repaired)).toBe(600);
  for (const { at } of some.slice(0, 20)) expectEqual(repaired, at, 31);
  repaired.close();
});

test('the check says which day does not add up', () => {
  const engine = engineOn(sampleHome());
  const found = () => checkHome(engine).find(({ name }) => name === 'days of the ledger add up');
  engine.account.file.run(insertSql, 'one', '2026-05-06T07:08:09.000Z', 'public_filter', 'app', 30);
  expect(found()).toMatchObject({ ok: true, detail: '1 day' });
  engine.account.file.run("UPDATE ledger_days SET tokens = tokens + 1 WHERE day = '2026-05-06'");
  expect(found()).toEqual({
    name: 'days of the ledger add up',
    ok: false,
    detail: 'the charges of 2026-05-06 differ from its daily sums',
  });
});
