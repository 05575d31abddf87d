/**
 * The general rate limit of the HTTP door: one token bucket for the account, all keys together. Only admitted calls
 * count, free ones too; what is refused before (no key, no plan) takes nothing, or a program without a key could lock
 * the owner's own out.
 */
import { EngineError } from '../spec/errors.ts';

export interface Rate {
  /** Requests at once, from a full bucket. */
  readonly burst: number;
  /** Requests per second that flow back. */
  readonly perSecond: number;
}

/** Wide: the engine is on the caller's own machine. The hosted service's 120 and 1 can be set. */
export const standardRate: Rate = { burst: 1000, perSecond: 100 };

export class RateLimit {
  readonly limit: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  #level: number;
  #at: number;

  /** @param now milliseconds of a steady clock */
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
