/**
 * The general rate limit of the HTTP door: one token bucket for the account, all keys together. Admitted calls count, free
 * ones too. Calls refused earlier (no key, no plan) do not, or a program without a key could lock out the owner's.
 */
import { EngineError } from '../spec/errors.ts';

export interface Rate {
  /** Requests at once, from a full bucket. */
  readonly burst: number;
  /** Requests that the bucket regains per second. */
  readonly perSecond: number;
}

/** High, since the engine runs on the caller's machine. The hosted service has 120 and 1. */
export const standardRate: Rate = { burst: 1000, perSecond: 100 };

export class RateLimit {
  readonly limit: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  #level: number;
  #at: number;

  /** @param now milliseconds of a monotonic clock */
  constructor(rate: Rate, now: () => number) {
    this.limit = rate.burst;
    this.#perSecond = rate.perSecond;
    this.#now = now;
    this.#level = rate.burst;
    this.#at = now();
  }

  /** @throws EngineError rate_limited, with the seconds after which the next request fits */
  take(): void {
    this.#refill();
    if (this.#level < 1) {
      const retryAfterSeconds = Math.max(1, Math.ceil((1 - this.#level) / this.#perSecond));
      const message = `More than ${this.#perSecond} requests per second after a burst of ${this.limit}; try again in ${retryAfterSeconds} s.`;
      throw new EngineError('rate_limited', message, { retryAfterSeconds });
    }
    this.#level -= 1;
  }

  /** Requests that would be admitted now. */
  get remaining(): number {
    this.#refill();
    return Math.floor(this.#level);
  }

  /** Whole seconds until the bucket is full. */
  get resetSeconds(): number {
    this.#refill();
    return Math.ceil((this.limit - this.#level) / this.#perSecond);
  }

  #refill(): void {
    const now = this.#now();
    const elapsed = Math.max(0, now - this.#at) / 1000;
    this.#level = Math.min(this.limit, this.#level + elapsed * this.#perSecond);
    this.#at = now;
  }
}
