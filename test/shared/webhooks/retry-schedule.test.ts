import { describe, expect, test } from '@jest/globals';
import { getNextAttempt, maxRetrySeconds } from '../../../shared/webhooks/retry-schedule.ts';

const start = 1_800_000_000;
const first = { attempts: 1, firstAt: start, now: start, random: 0.5 };

/** Returns the seconds between the attempts if every attempt fails. */
function listDelays(random: number): number[] {
  const delays: number[] = [];
  let now = start;
  for (let attempts = 1; ; attempts++) {
    const next = getNextAttempt({ attempts, firstAt: start, now, random });
    if (next === undefined) return delays;
    delays.push(next - now);
    now = next;
  }
}

describe('Webhook delivery attempts', () => {
  test('follow each other after 5 s, 5 min, 30 min, 2 h, 5 h and 10 h, then every 12 h until three days after the first attempt', () => {
    expect(listDelays(0.5)).toEqual([
      ...[5, 300, 1800, 7200, 18_000, 36_000],
      ...[43_200, 43_200, 43_200, 43_200],
    ]);
  });

  test.each([0, 0.25, 0.75, 1])(
    'deviate from the schedule by at most 10% if the random number is %d',
    (random) => {
      const usual = [5, 300, 1800, 7200, 18_000, 36_000, 43_200];
      for (const [n, delay] of listDelays(random).entries()) {
        const expected = usual[Math.min(n, usual.length - 1)] ?? 0;
        expect(Math.abs(delay - expected)).toBeLessThanOrEqual(expected * 0.1 + 0.5);
      }
    },
  );

  test('end three days after the first attempt', () => {
    const late = { ...first, attempts: 10, now: start + maxRetrySeconds - 43_200 };
    expect(getNextAttempt(late)).toBe(start + maxRetrySeconds);
    expect(getNextAttempt({ ...late, now: late.now + 1 })).toBeUndefined();
  });

  test.each([
    ['120', 120],
    ['3', 5],
    ['0', 5],
    [new Date((start + 600) * 1000).toUTCString(), 600],
    [new Date((start - 600) * 1000).toUTCString(), 5],
    ['soon', 5],
    ['-10', 5],
    ['1e9', 5],
    ['', 5],
    [undefined, 5],
  ])('after a reply with Retry-After %j wait %d seconds', (retryAfter, seconds) => {
    expect(getNextAttempt({ ...first, retryAfter })).toBe(start + seconds);
  });

  test('end if Retry-After requests a time more than three days after the first attempt', () => {
    expect(getNextAttempt({ ...first, retryAfter: '999999999' })).toBeUndefined();
  });
});
