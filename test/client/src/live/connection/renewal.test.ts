import { expect, test } from '@jest/globals';
import { getRenewalDelay } from '../../../../../client/src/live/connection/renewal.ts';

const minute = 60_000;
const settled = { isComplete: true, isRefused: false };

test.each([
  ['checks for lost events after 12 to 18 minutes', 60, 0, settled, 12],
  ['checks for lost events after 12 to 18 minutes', 60, 1, settled, 18],
  ['subscribes to the next hour in the ten minutes before it starts', 12, 1, settled, 2],
  ['subscribes to the next hour in the ten minutes before it starts', 12, 0, settled, 12],
  ['waits two minutes if the channels expire in less than 30 seconds', 0.4, 0, settled, 2],
  ['waits two minutes if the server reports no expiry', Number.NaN, 0, settled, 2],
  [
    'waits two minutes if the connection had no room for some channels',
    60,
    0,
    { ...settled, isComplete: false },
    2,
  ],
  ['retries refused channels after 15 to 30 seconds', 60, 1, { ...settled, isRefused: true }, 0.5],
])('A renewal %s', (_, expiresInMinutes, random, outcome, expectedMinutes) => {
  const input = { expiresInMs: expiresInMinutes * minute, random: () => random, ...outcome };
  expect(getRenewalDelay(input)).toBeCloseTo(expectedMinutes * minute, 3);
});
