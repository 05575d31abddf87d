/**
 * The token meter. A charge is one ledger row in an IMMEDIATE transaction of a database with synchronous = FULL: an
 * acknowledged charge survives a power cut. Charges of one turn of the event loop share a transaction (group commit),
 * since a laptop's disk commits only some hundreds a second; each is answered after COMMIT.
 */

import { EngineError } from '../spec/errors.ts';
import type { AccountStore } from '../store/account-store.ts';
import { billingPeriod, type Period } from './billing-period.ts';
import { tokensBetween } from './ledger-days.ts';
import { readPlan } from './plan.ts';

export type Mode = 'direct' | 'mcp' | 'app' | 'script' | 'feed';

export interface Charge {
  readonly callId: string;
  /** Id of the charged request; its pages share it. */
  readonly requestId: string;
  /** Name in the usage breakdown. */
  readonly endpoint: string;
  readonly mode: Mode;
  readonly tokens: number;
  readonly keyId: number | null;
  readonly repeat: Repeat | null;
}

/** The caller's Idempotency-Key and the call it stands for. Answers are never stored, only that the call was charged. */
export interface Repeat {
  readonly key: string;
  readonly operation: string;
  readonly inputHash: string;
}

interface Waiting {
  readonly charge: Charge;
  readonly resolve: (tokens: number) => void;
  readonly reject: (reason: unknown) => void;
}

type Outcome = { readonly tokens: number } | { readonly error: EngineError };

const keepRepeatsMilliseconds = 24 * 60 * 60 * 1000;

export class Meter {
  readonly #account: AccountStore;
  readonly #now: () => Date;
  #waiting: Waiting[] = [];

  constructor(account: AccountStore, now: () => Date) {
    this.#account = account;
    this.#now = now;
  }

  /**
   * Charges once, or not at all.
   * @returns the tokens charged: 0 for a repeat under a key that was charged before
   * @throws EngineError usage_limit_exceeded if the cap would be passed; validation_error if the key was used for another call
   */
  charge(charge: Charge): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ charge, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#commit());
    });
  }

  /** Commits waiting charges now; called before closing. */
  flush(): void {
    this.#commit();
  }

  #commit(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    if (batch.length === 0) return;
    let outcomes: Outcome[];
    try {
      outcomes = this.#account.file.transaction(() => batch.map(({ charge }) => this.#enter(charge)));
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
    batch.forEach(({ resolve, reject }, i) => {
      const outcome = outcomes[i];
      if (outcome && 'tokens' in outcome) resolve(outcome.tokens);
      else reject(outcome?.error);
    });
  }

  /** Runs inside the transaction. A refused charge writes nothing, so the others of the batch still commit. */
  #enter(charge: Charge): Outcome {
    const now = this.#now();
    const standing = charge.repeat ? findRepeat(this.#account, charge.repeat, now) : null;
    if (standing) return standing;
    const outcome = charge.tokens === 0 ? { tokens: 0, ledgerId: null } : this.#enterLedger(charge, now);
    if ('error' in outcome) return outcome;
    if (charge.repeat) this.#keepRepeat(charge.repeat, outcome.ledgerId, now);
    return { tokens: outcome.tokens };
  }

  #enterLedger(charge: Charge, now: Date): { tokens: number; ledgerId: number } | { error: EngineError } {
    const { file } = this.#account;
    const plan = readPlan(this.#account);
    const period = billingPeriod(now, plan.period_anchor_day);
    const total = tokensUsed(this.#account, period) + charge.tokens;
    if (plan.cap_tokens !== null && total > plan.cap_tokens) {
      const message = `This call costs ${charge.tokens} tokens; ${total - charge.tokens} of the cap of ${plan.cap_tokens} are used. Nothing was charged.`;
      return { error: new EngineError('usage_limit_exceeded', message) };
    }
    const { lastInsertRowid } = file.run(
      'INSERT INTO ledger (call_id, charged_at, period_start, endpoint, mode, tokens, period_total, key_id, request_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      charge.callId,
      now.toISOString(),
      period.start,
      charge.endpoint,
      charge.mode,
      charge.tokens,
      total,
      charge.keyId,
      charge.requestId,
    );
    return { tokens: charge.tokens, ledgerId: Number(lastInsertRowid) };
  }

  #keepRepeat(repeat: Repeat, ledgerId: number | null, now: Date): void {
    const { file } = this.#account;
    file.run('DELETE FROM idempotency WHERE created_at < ?', oldestKept(now));
    file.run(
      'INSERT OR REPLACE INTO idempotency (key, operation, input_hash, ledger_id, created_at) VALUES (?, ?, ?, ?, ?)',
      repeat.key,
      repeat.operation,
      repeat.inputHash,
      ledgerId,
      now.toISOString(),
    );
  }
}

const oldestKept = (now: Date): string => new Date(now.getTime() - keepRepeatsMilliseconds).toISOString();

/** Looks an Idempotency-Key up: null if new, 0 tokens if it stands for this call, an error if for another. */
export function findRepeat({ file }: AccountStore, repeat: Repeat, now: Date): Outcome | null {
  const row = file.get<{ operation: string; input_hash: string }>(
    'SELECT operation, input_hash FROM idempotency WHERE key = ? AND created_at >= ?',
    repeat.key,
    oldestKept(now),
  );
  if (!row) return null;
  if (row.operation === repeat.operation && row.input_hash === repeat.inputHash) return { tokens: 0 };
  const message = `This Idempotency-Key was used for another ${row.operation === repeat.operation ? 'input' : 'operation'}; use a new key for a new call.`;
  return { error: new EngineError('validation_error', message, { details: { 'Idempotency-Key': [message] } }) };
}

/**
 * Tokens charged in the period: the running total of the newest charge if that one belongs to the period. Otherwise a sum:
 * before the first charge of a period (over no rows), or after the anchor day was moved.
 */
export function tokensUsed(account: AccountStore, period: Period): number {
  const newest = account.file.get<{ period_start: string; period_total: number }>(
    'SELECT period_start, period_total FROM ledger ORDER BY ledger_id DESC LIMIT 1',
  );
  if (newest?.period_start === period.start) return newest.period_total;
  return tokensBetween(account, period);
}
