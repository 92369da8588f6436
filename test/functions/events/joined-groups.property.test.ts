import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { Caller } from '../../../shared/caller.ts';
import { listEvents, retrieveLive } from '../../../shared/contract/operations.ts';
import { Event } from '../../../shared/contract/resources/event.ts';
import { listSchema } from '../../../shared/contract/schema/list-schema.ts';
import { getLinkQuery } from '../../response-invariants/page-rules.ts';
import { create, getConversations, list, send } from '../../support/handlers/api-calls.ts';
import { addMember, makeGroup, removeMember } from '../../support/handlers/group-calls.ts';
import { ok, request } from '../../support/handlers/invoke-handler.ts';
import { createTrio } from '../../support/people/callers.ts';
import fc from '../../support/setup/fast-check.ts';
import { selectSize } from '../../support/setup/sample-size.ts';
import { interceptCalls } from '../../support/table/call-hooks.ts';
import { publishAll } from '../../support/workers/live-worker.ts';
import '../../support/setup/use-table.ts';

const Page = listSchema(Event);

/** Number of messages that the app lists; a history sends fewer. */
const pageSize = '100';

/**
 * Creates a simulated app that applies events and collects message ids. The app lists messages when
 * it starts and when its user is added to a group.
 */
function createApp(as: Caller) {
  let cursor = '';
  let known = new Set<string>();
  const listGroup = async () => {
    known = new Set();
    for (const { id } of (await getConversations(as)).data)
      for (const message of (await list(as, id, { peek: 'true', limit: pageSize })).data)
        known.add(message.id);
  };
  return {
    start: async () => {
      ({ cursor } = await ok(retrieveLive, { as }));
      await listGroup();
    },
    read: async (limit: number) => {
      const query = { starting_after: cursor, limit: String(limit) };
      const { status, body, headers } = await request(listEvents, { as, query });
      expect(status).toBe(200);
      cursor = getLinkQuery(headers.Link, 'next')?.starting_after ?? '';
      const { data, has_more } = v.parse(Page, body);
      for (const { type, payload } of data) {
        if (type === 'message.created' && payload) known.add(payload.id);
        const isOwn = payload && 'contact_id' in payload && payload.contact_id === as.id;
        if (type === 'group.member_added' && isOwn && !('deleted' in payload)) await listGroup();
      }
      return has_more;
    },
    getMessageIds: () => known,
  };
}

type Step = 'add' | 'remove' | 'send' | 'publish' | 'read' | 'start';
const step = fc.constantFrom<Step>('add', 'remove', 'send', 'publish', 'read', 'start');

/** Steps to run during a request of the app, each before the table call with the given number. */
const during = fc.array(fc.tuple(fc.nat(8), fc.constantFrom<Step>('add', 'send', 'publish')), {
  maxLength: 4,
});
const history = fc.array(fc.tuple(step, during, fc.integer({ min: 1, max: 3 })), {
  minLength: 4,
  maxLength: 14,
});

type History = [step: Step, during: [call: number, step: Step][], limit: number][];

/** Runs a history, adds the contact to the group, and expects the app to have every message. */
async function expectNothingMissed(steps: History): Promise<void> {
  const { cleo, xavier } = createTrio();
  const { id } = await makeGroup(cleo);
  const { id: conversation } = await create(cleo, { group_id: id });
  const sent: string[] = [];
  let isMember = false;
  const act: Record<Step, () => Promise<unknown>> = {
    add: async () => {
      if (isMember) return;
      isMember = true;
      await addMember(cleo, id, xavier);
    },
    remove: async () => {
      if (!isMember) return;
      isMember = false;
      await removeMember(cleo, id, xavier);
    },
    send: async () => sent.push((await send(cleo, conversation, 'Hello')).id),
    publish: () => publishAll(),
    read: async () => {},
    start: async () => {},
  };
  const app = createApp(xavier);
  await app.start();
  for (const [one, others, limit] of steps) {
    await act[one]();
    if (one !== 'read' && one !== 'start') continue;
    let calls = 0;
    let isActing = false;
    const undo = interceptCalls(async (_, proceed) => {
      if (!isActing) {
        isActing = true;
        const due = others.filter(([call]) => call === calls);
        calls += 1;
        for (const [, other] of due) await act[other]();
        isActing = false;
      }
      await proceed();
    });
    await (one === 'read' ? app.read(limit) : app.start()).finally(undo);
  }
  await act.add();
  await publishAll();
  while (await app.read(2));
  expect([...app.getMessageIds()].sort()).toEqual(sent.sort());
}

describe('An app that lists a group’s messages when its user joins the group receives every message', () => {
  const calls = Array.from({ length: 8 }, (_, n) => n);
  test.each(calls)('if the user is added during table call %s of a request', async (call) => {
    for (const one of ['read', 'start'] as const)
      await expectNothingMissed([
        ['send', [], 1],
        [
          one,
          [
            [call, 'add'],
            [call, 'publish'],
          ],
          100,
        ],
        ['send', [], 1],
        ['publish', [], 1],
        ['read', [], 100],
      ]);
  });

  test('in any history of additions, removals and messages', async () => {
    await fc.assert(fc.asyncProperty(history, expectNothingMissed), {
      numRuns: selectSize(8, 300),
      endOnFailure: true,
    });
  }, 600_000);
});
