import { expect } from '@jest/globals';
import { listMessages } from '../../../../shared/contract/operations.ts';
import { list, send } from '../../../support/handlers/api-calls.ts';
import type { AbuseRun, Participant } from '../../support/abuse-run.ts';
import { honestCall } from '../../support/honest-call.ts';
import { largest, type MessageSize, small } from '../../support/message-sizes.ts';
import { scenario } from '../../support/scenario.ts';
import { openConversation } from '../../support/seed-history.ts';

interface Talk {
  id: string;
  ann: Participant;
  bob: Participant;
  ids: string[];
  /** Ids of the messages that the conversation's list returned to Bob. */
  returnedIds: Set<string>;
}

async function hundred(abuse: AbuseRun, { text, more }: MessageSize): Promise<Talk> {
  const [ann, bob] = await Promise.all([
    abuse.createParticipant('ann'),
    abuse.createParticipant('bob'),
  ]);
  const id = await openConversation(ann, { contact_id: bob.id });
  const ids: string[] = [];
  for (let n = 0; n < 100; n++) ids.push((await send(ann.caller, id, text, more)).id);
  return { id, ann, bob, ids, returnedIds: new Set() };
}

/**
 * Maximum capacity units per request. Storing read marks takes up to 1,000 write units, which is a
 * partition's limit per second. Reading five megabytes takes 1,400 read units.
 */
const maxUnits = 1000 + 1400;

export const largestMessages = [
  scenario<Talk>({
    title:
      'A member sends 100 of the largest messages, and paging with a limit of 100 returns all of them',
    quiet: (abuse) => hundred(abuse, small),
    abused: (abuse) => hundred(abuse, largest),
    maxUnits,
    honestCalls: ({ id, bob, ids, returnedIds }) => {
      const query = { conversation_id: id, limit: '100' };
      return [
        honestCall('list 100 messages', bob, listMessages, { query }, ({ data, has_more }) => {
          const shown = data.map((one) => one.id);
          for (const one of shown) returnedIds.add(one);
          expect(shown.length).toBeGreaterThan(0);
          expect(shown).toEqual(ids.toReversed().slice(0, shown.length));
          expect(has_more).toBe(shown.length < ids.length);
        }),
        honestCall(
          'list 100 messages across conversations',
          bob,
          listMessages,
          { query: { limit: '100' } },
          ({ data, has_more }) => {
            expect(data.length).toBeGreaterThan(0);
            expect(data.map((one) => one.id)).toEqual(ids.toReversed().slice(0, data.length));
            expect(has_more).toBe(data.length < ids.length);
          },
        ),
      ];
    },
    checkAfterwards: async ({ id, ann, bob, ids, returnedIds }) => {
      const all = await walk(ann, id, 'starting_after', '10');
      const read = all.filter(({ read_at }) => read_at !== null).map((one) => one.id);
      expect(read.sort()).toEqual([...returnedIds].sort());
      // A client that polls with a limit of 100 receives all messages.
      const polled = await walk(bob, id, 'ending_before', '100', ids[0]);
      expect(polled.map((one) => one.id)).toEqual(ids.slice(1));
    },
  }),
];

async function walk(
  { caller }: Participant,
  id: string,
  parameter: 'starting_after' | 'ending_before',
  limit: string,
  from?: string,
) {
  const all: Awaited<ReturnType<typeof list>>['data'] = [];
  for (let cursor = from, more = true; more; cursor = all.at(-1)?.id) {
    const page = await list(caller, id, { limit, ...(cursor && { [parameter]: cursor }) });
    expect(page.data.length).toBeGreaterThan(0);
    all.push(...(parameter === 'ending_before' ? page.data.toReversed() : page.data));
    more = page.has_more;
  }
  return all;
}
