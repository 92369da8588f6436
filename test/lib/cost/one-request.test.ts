import { describe, expect, test } from '@jest/globals';
import { unitsForSize } from '../../../lib/cost/large-messages.ts';
import { unitsOf, weightsOf } from '../../../lib/cost/mix.ts';
import { quantitiesOf } from '../../../lib/cost/one-request.ts';
import type { Mix } from '../../../lib/cost/volumes.ts';

const plain: Mix = { group: 0, once: 0, unread: 0, across: 0, flagged: 0, pin: 0 };
const volumes = {
  mix: plain,
  groupsPerUser: 0,
  messageBytes: 200,
  messagesPerConversation: 100,
};

describe('The units of a request', () => {
  test('are those of its variants, by how often each is met', () => {
    // Six for a direct message, nine with a key at AWS; four and seven to a group.
    expect(unitsOf('messages/send', { ...plain, group: 0.5, once: 0.5 }, 0)).toEqual({
      reads: 0.5,
      writes: (6 + 9 + 4 + 7) / 4,
    });
  });

  test('grow with the groups of who lists conversations', () => {
    expect(unitsOf('conversations/list', plain, 4)).toEqual({ reads: 8, writes: 0 });
  });

  test('grow with the size of the messages, a kilobyte written and four read at a time', () => {
    expect(unitsForSize('messages/send', 200)).toEqual({ reads: 0, writes: 0 });
    // 2350 bytes are three write units in the place of one; eleven of them seven read units in the place of two.
    expect(unitsForSize('messages/send', 2000)).toEqual({ reads: 0, writes: 2 });
    expect(unitsForSize('messages/list', 2000)).toEqual({ reads: 5, writes: 0 });
    expect(unitsForSize('business/list', 2000)).toEqual({ reads: 0, writes: 0 });
  });

  test('are counted for each variant once, whatever the mix', () => {
    const mix: Mix = { group: 0.2, once: 0.3, unread: 0.4, across: 0.5, flagged: 0.6, pin: 0.7 };
    for (const weights of Object.values(weightsOf(mix))) {
      const sum = Object.values(weights).reduce((total, weight) => total + weight, 0);
      expect(sum).toBeCloseTo(1, 9);
    }
  });
});

describe('One request', () => {
  test('to send takes units, functions, the gateway, its reply and its log', () => {
    const { dataOutGb = 0, ...quantities } = quantitiesOf('messages/send', volumes, { webAcls: 1 });
    expect(quantities).toEqual({
      readUnits: 0.5,
      writeUnits: 6.5,
      lambdaRequests: 1.2,
      // 25 ms, 0.5 % of 400 ms, and a fifth of the authorizer's 10 ms, with 1 GB.
      lambdaGbSeconds: 0.029,
      apiRequests: 1,
      wafRequests: 1,
      logGb: 2200 / 1024 ** 3,
    });
    expect(dataOutGb * 1024 ** 3).toBeGreaterThan(1000);
  });

  test('to delete a conversation takes the purge of its messages, too', () => {
    // 100 messages of 550 bytes: a write unit each, the tombstone two; read in 14 units of 4 KB, and two more.
    expect(quantitiesOf('conversations/delete', volumes, { webAcls: 0 })).toMatchObject({
      writeUnits: 4 + 102,
      readUnits: 16,
      lambdaRequests: 2.2,
    });
  });
});
