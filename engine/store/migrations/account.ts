/** Migrations of account.sqlite. Numbered by position, never edited after a release: a change is a new entry. */
import { homeIdentitySql } from '../home-identity.ts';
import { feedsDoNotMailSql, feedsSql } from './account-feeds.ts';
import { fieldSql, visitsSql, walksSql } from './account-field.ts';
import { ledgerDaysSql } from './account-ledger-days.ts';
import { usageSql } from './account-usage.ts';
import { mailingsSql } from './mailings.ts';
import { ownerVerdictsSql } from './owners.ts';
import { dealsSql, workSql } from './work.ts';

/**
 * The ledger is append-only, and each row carries the running total of its period: a SUM would cost 20 ms at
 * 500,000 rows, in the middle of every charge. No hash chain: a restored backup would look like tampering.
 */
const ledgerSql = `
CREATE TABLE ledger (
  ledger_id INTEGER PRIMARY KEY,
  call_id TEXT NOT NULL UNIQUE,
  charged_at TEXT NOT NULL,
  period_start TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  mode TEXT NOT NULL,
  tokens INTEGER NOT NULL CHECK (tokens > 0),
  period_total INTEGER NOT NULL,
  key_id INTEGER
);
CREATE INDEX ledger_charged_at ON ledger (charged_at);
CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'ledger: rows are never changed'); END;
CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'ledger: rows are never deleted'); END;
`;

const accountSql = `
CREATE TABLE idempotency (
  key TEXT PRIMARY KEY,
  operation TEXT NOT NULL,
  input_hash TEXT NOT NULL,
  ledger_id INTEGER,
  created_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX idempotency_created_at ON idempotency (created_at);
CREATE TABLE plan (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  pro INTEGER NOT NULL,
  tier TEXT CHECK (tier IN ('free', 'starter', 'growth', 'scale')),
  tokens_included INTEGER NOT NULL CHECK (tokens_included >= 0),
  overage_cents_per_1000 REAL NOT NULL CHECK (overage_cents_per_1000 >= 0),
  cap_tokens INTEGER CHECK (cap_tokens >= 0),
  invoice_paid INTEGER NOT NULL,
  period_anchor_day INTEGER NOT NULL CHECK (period_anchor_day BETWEEN 1 AND 31)
);
INSERT INTO plan VALUES (1, 1, 'starter', 30000, 0, NULL, 1, 1);
CREATE TABLE api_keys (
  key_id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  revoked_at TEXT
);
`;

/** Saved markets in the user's pinned order; regions are named by their stable id (comps/regions.ts). */
const savedMarketsSql = `
CREATE TABLE saved_markets (
  market_id INTEGER PRIMARY KEY AUTOINCREMENT,
  region_id TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL,
  position INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
`;

/** When skip traces ran, so that the limit of 20 per minute survives a restart. Milliseconds since 1970. */
const traceCallsSql = `
CREATE TABLE trace_calls (
  trace_call_id INTEGER PRIMARY KEY,
  called_at INTEGER NOT NULL
);
CREATE INDEX trace_calls_called_at ON trace_calls (called_at);
`;

/** The port on which the home was served last. */
const listenerSql = `
CREATE TABLE listener (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  port INTEGER NOT NULL CHECK (port BETWEEN 1 AND 65535)
);
`;

/** Sessions of the app in browsers: digests of their cookies, so that a page goes on after a restart of its listener. */
const appSessionsSql = `
CREATE TABLE app_sessions (
  digest TEXT PRIMARY KEY,
  made_at INTEGER NOT NULL
);
`;

/** What the app's windows remember: JSON by the names of spec/window-memory.ts, and the browser that kept it. */
const windowMemorySql = `
CREATE TABLE window_memory (
  name TEXT PRIMARY KEY,
  writer TEXT NOT NULL,
  value TEXT NOT NULL
);
`;

/** What the user said of suspect sales, by what names each (`saleKeyOf`), which outlives imports. */
const saleVerdictsSql = `
CREATE TABLE sale_verdicts (
  sale_key TEXT PRIMARY KEY,
  verdict TEXT NOT NULL CHECK (verdict IN ('keep', 'strike')),
  said_at TEXT NOT NULL
) WITHOUT ROWID;
`;

export const accountMigrations: readonly string[] = [
  `${ledgerSql}${accountSql}`,
  `${savedMarketsSql}${traceCallsSql}`,
  workSql,
  feedsSql,
  usageSql,
  ledgerDaysSql,
  feedsDoNotMailSql,
  listenerSql,
  homeIdentitySql,
  appSessionsSql,
  fieldSql,
  windowMemorySql,
  ownerVerdictsSql,
  dealsSql,
  mailingsSql,
  walksSql,
  saleVerdictsSql,
  visitsSql,
];
