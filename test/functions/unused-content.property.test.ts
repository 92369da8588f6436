import { describe, expect, test } from '@jest/globals';
import { updateMessage } from '../../shared/contract/operations.ts';
import { maxInlineBytes } from '../../shared/table/messages/log/content-item.ts';
import { create, edit, list, react, removeMessage, send } from '../support/handlers/api-calls.ts';
import { request } from '../support/handlers/invoke-handler.ts';
import { createVirtualClock } from '../support/handlers/virtual-clock.ts';
import { ann, bob } from '../support/people/callers.ts';
import fc from '../support/setup/fast-check.ts';
import { selectSize } from '../support/setup/sample-size.ts';
import { crashAtCall, interceptCalls, isUpdate } from '../support/table/call-hooks.ts';
import { queryAll } from '../support/table/query-all.ts';
import { getPurgeWorkerFilter, readNewRecords } from '../support/workers/live-worker.ts';
import { getSortKeys, purgeRecords } from '../support/workers/purge-worker.ts';
import '../support/setup/use-table.ts';

const large = 'x'.repeat(maxInlineBytes + 1);

/** Returns the sort keys of stored content items, and of content items that the log references. */
async function readContentKeys(id: string) {
  const items = await queryAll({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': `CONVERSATION#${id}` },
    ConsistentRead: true,
  });
  const used = items.flatMap(({ sk, content_id }) =>
    content_id ? [`${String(sk).replace('MESSAGE', 'MESSAGE_CONTENT')}#${content_id}`] : [],
  );
  const stored = items
    .map(({ sk }) => String(sk))
    .filter((sk) => sk.startsWith('MESSAGE_CONTENT#'));
  return { stored: stored.sort(), used: used.sort() };
}

async function purgeNewChanges() {
  const passes = await getPurgeWorkerFilter();
  await purgeRecords((await readNewRecords()).filter(passes));
}

const step = fc.record({
  act: fc.constantFrom('send', 'edit', 'react', 'read', 'remove'),
  text: fc.constantFrom('small', large, `${large}!`),
  which: fc.nat(3),
  crash: fc.option(
    fc.record({ call: fc.integer({ min: 1, max: 5 }), when: fc.constantFrom('before', 'after') }),
    { freq: 1 },
  ),
});

describe('Content items', () => {
  test('are retained if and only if a message references them, even after crashes', async () => {
    createVirtualClock();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const { id } = await create(ann, { contact_id: 'bob' });
        const ids = [(await send(ann, id, large)).id];
        await purgeNewChanges();
        for (const { act, text, which, crash } of steps) {
          const target = ids[which % ids.length] ?? '';
          const recover = crash ? crashAtCall(crash.call, crash.when) : () => {};
          try {
            if (act === 'send') ids.push((await send(ann, id, text)).id);
            if (act === 'edit') await edit(ann, target, { message: text });
            if (act === 'react') await react(bob, target, { ok: ['bob'] });
            if (act === 'read') await list(bob, id);
            if (act === 'remove') await removeMessage(ann, target);
          } catch {
            // The step crashed, or its message was deleted.
          }
          recover();
          await purgeNewChanges();
        }
        const { stored, used } = await readContentKeys(id);
        expect(stored).toEqual(used);
        await list(ann, id);
      }),
      {
        numRuns: selectSize(15, 120),
        examples: [[[{ act: 'edit', text: `${large}!`, which: 0, crash: null }]]],
      },
    );
  });

  test('of an edit in progress are not purged', async () => {
    const time = createVirtualClock();
    const { id } = await create(ann, { contact_id: 'bob' });
    const { id: message } = await send(ann, id, large);
    await edit(ann, message, { message: `${large}!` });
    const records = (await readNewRecords()).filter(await getPurgeWorkerFilter());
    const at = time.now();
    time.pass(120_000);
    const undo = interceptCalls(async (call, proceed) => {
      if (isUpdate('content_id')(call)) {
        undo();
        await purgeRecords(records, { at });
      }
      await proceed();
    });
    const third = { message: `${large}!!` };
    const reply = await request(updateMessage, {
      as: ann,
      path: { message_id: message },
      body: third,
    });
    expect(reply.body).toMatchObject(third);
    const [shown] = (await list(bob, id)).data;
    expect(shown).toMatchObject(third);
    expect(await getSortKeys(id)).toHaveLength(5);
  });
});
