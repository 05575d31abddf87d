/** The general rate limit: the bucket by itself on a hand-driven clock, then over HTTP. */
import { describe, expect, test } from 'vitest';
import { RateLimit } from '../../engine/http/rate-limit.ts';
import { serving } from './client.ts';

describe('the bucket', () => {
  test('gives the burst at once, then as many as flow back', () => {
    let now = 0;
    const bucket = new RateLimit({ burst: 3, perSecond: 2 }, () => now);
    for (let n = 0; n < 3; n++) bucket.take();
    expect(() => bucket.take()).toThrow(expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 1 }));
    now = 499;
    expect(() => bucket.take()).toThrow();
    // 2 a second: one after 500 ms. A refusal uses none.
    now = 500;
    bucket.take();
    expect(() => bucket.take()).toThrow();
  });

  test('never holds more than the burst', () => {
    let now = 0;
    const bucket = new RateLimit({ burst: 2, perSecond: 100 }, () => now);
    now = 1e9;
    expect([bucket.remaining, bucket.resetSeconds]).toEqual([2, 0]);
    bucket.take();
    bucket.take();
    expect(() => bucket.take()).toThrow();
  });

  test('says whole seconds until the next one fits, and until it is full', () => {
    let now = 0;
    const bucket = new RateLimit({ burst: 2, perSecond: 0.1 }, () => now);
    bucket.take();
    bucket.take();
    expect([bucket.remaining, bucket.resetSeconds]).toEqual([0, 20]);
    now = 1500;
    // 0.15 is there: 0.85 are missing at 0.1 a second, 8.5 s.
    expect(() => bucket.take()).toThrow(expect.objectContaining({ retryAfterSeconds: 9 }));
    expect(bucket.resetSeconds).toBe(19);
  });

  test('a clock that steps back gives nothing away', () => {
    let now = 10_000;
    const bucket = new RateLimit({ burst: 1, perSecond: 1 }, () => now);
    bucket.take();
    now = 0;
    expect(() => bucket.take()).toThrow();
    now = 1000;
    bucket.take();
  });
});

describe('over HTTP', () => {
  test('all keys share one bucket, free calls count, 429 says when to come back', async () => {
    let now = 0;
    const it = await serving({ rate: { burst: 4, perSecond: 0.5 }, steadyNow: () => now });
    const other = it.makeKey(['read']);
    const remaining: unknown[] = [];
    for (const key of [it.key, other, it.key, other]) {
      const response = await it.send({ path: 'usage/', key });
      expect(response.status).toBe(200);
      expect(response.headers['x-ratelimit-limit']).toBe('4');
      remaining.push([response.headers['x-ratelimit-remaining'], response.headers['x-ratelimit-reset']]);
    }
    expect(remaining).toEqual([
      ['3', '2'],
      ['2', '4'],
      ['1', '6'],
      ['0', '8'],
    ]);
    const refused = await it.send({ path: 'usage/' });
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('2');
    expect(refused.json.error).toMatchObject({ code: 'rate_limited', request_id: refused.headers['x-request-id'] });
    now = 2000;
    expect((await it.send({ path: 'usage/' })).status).toBe(200);
    expect((await it.send({ path: 'usage/' })).status).toBe(429);
  });

  test('a request refused earlier, or without need of a key, costs nothing', async () => {
    const it = await serving({ rate: { burst: 2, perSecond: 1 }, steadyNow: () => 0 });
    const traceOnly = it.makeKey(['trace']);
    for (let n = 0; n < 20; n++) {
      for (const request of [
        { path: 'usage/', key: null },
        { path: 'usage/', key: 'plat_wrong' },
        { path: 'properties/1/', key: traceOnly },
        { path: 'nothing/' },
        { path: 'usage/', headers: { Host: 'evil.example' } },
        { path: 'usage/', method: 'DELETE' },
        { path: 'usage/', method: 'OPTIONS', key: null },
        { path: 'openapi.json', key: null },
      ]) {
        expect((await it.send(request)).headers['x-ratelimit-remaining']).toBe('2');
      }
    }
    expect((await it.send({ path: 'usage/' })).status).toBe(200);
  });

  test('a call with a mistake in its input counts', async () => {
    const it = await serving({ rate: { burst: 2, perSecond: 1 }, steadyNow: () => 0 });
    expect((await it.send({ path: 'properties/abc/' })).headers['x-ratelimit-remaining']).toBe('1');
  });

  test('calls in process have no limit', async () => {
    const it = await serving({ rate: { burst: 1, perSecond: 1 }, steadyNow: () => 0 });
    for (let n = 0; n < 5; n++) await it.engine.call('get_usage', {});
    expect((await it.send({ path: 'usage/' })).status).toBe(200);
  });
});
