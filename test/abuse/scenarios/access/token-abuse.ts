import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import {
  listConversations,
  listMessages,
  retrieveContact,
  retrieveConversation,
} from '../../../../shared/contract/operations.ts';
import { getError, send as sendAs } from '../../../acceptance/support/api.ts';
import { create, send } from '../../../support/handlers/api-calls.ts';
import type { AbuseRun, Participant } from '../../support/abuse-run.ts';
import { honestCall, refusedCall } from '../../support/honest-call.ts';
import { makeCall } from '../../support/make-call.ts';
import { scenario } from '../../support/scenario.ts';
import {
  readCalls,
  type SeededConversation,
  seedConversation,
} from '../../support/seeded-conversation.ts';

interface Member {
  bob: Participant;
}

/** Returns short ids, so that the gateway accepts a token with 1,000 of them. */
const groupsOf = (count: number) => Array.from({ length: count }, (_, n) => `g${n}`);

const usualGroups = 10;
const manyGroups = 100;

async function memberOf(abuse: AbuseRun, count: number): Promise<Member> {
  const bob = await abuse.createParticipant('bob', { groups: groupsOf(count) });
  await send(bob.caller, (await create(bob.caller, { group_id: 'g0' })).id, 'Hello');
  return { bob };
}

const listAll = ({ bob }: Member) => [
  honestCall('list conversations', bob, listConversations, {}),
  honestCall('list messages across conversations', bob, listMessages, {}),
  refusedCall(
    'retrieve an unknown contact',
    bob,
    retrieveContact,
    { path: { contact_id: 'unknown' } },
    404,
  ),
];

const patienceMilliseconds = 30_000;

export const tokenAbuse = [
  scenario<Member>({
    title: 'A user has 100 groups, and a token with 1,000 groups gets a documented 4xx error',
    quiet: (abuse) => memberOf(abuse, usualGroups),
    abused: (abuse) => memberOf(abuse, manyGroups),
    maxFactor: manyGroups / usualGroups,
    honestCalls: listAll,
    checkAfterwards: async (_, abuse) => {
      const bob = await abuse.createParticipant('bob', { groups: groupsOf(1000) });
      for (const one of listAll({ bob })) {
        const response = await sendAs(bob, one.row, one.sent);
        expect([response.status, Math.floor(response.status / 100)]).toEqual([response.status, 4]);
        await getError(one.row, response);
      }
    },
  }),
  scenario<SeededConversation>({
    title:
      'A client sends tokens with unknown key ids, and the API accepts a new issuer key within 30 seconds',
    quiet: (abuse) => seedConversation(abuse),
    abused: (abuse) => seedConversation(abuse),
    hostileAction: async ({ id, bob }, abuse) => {
      const key = await abuse.keys.newKey();
      const token = await key.token(bob.id);
      const { status } = await sendAs({ id: bob.id, token }, retrieveConversation, {
        path: { conversation_id: id },
      });
      expect([401, 503]).toContain(status);
    },
    honestCalls: (seeded) => readCalls(seeded).slice(0, 3),
    checkAfterwards: async ({ id, bob }, abuse) => {
      const key = await abuse.keys.newKey();
      await key.publish();
      const token = await key.token(bob.id);
      const statuses: number[] = [];
      for (
        const end = Date.now() + patienceMilliseconds;
        Date.now() < end && !statuses.includes(200);
      ) {
        const { status } = await sendAs({ id: bob.id, token }, retrieveConversation, {
          path: { conversation_id: id },
        });
        statuses.push(status);
        if (status !== 200) await sleep(500);
      }
      // Until the API has fetched the new key, it must return 503, not 401.
      expect(statuses.filter((status) => status !== 503)).toEqual([200]);
      const result = await makeCall(
        honestCall('retrieve', bob, retrieveConversation, { path: { conversation_id: id } }),
      );
      expect(result.fault).toBeUndefined();
    },
  }),
];
