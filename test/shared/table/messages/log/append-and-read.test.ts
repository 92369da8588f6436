import { describe, expect, jest, test } from '@jest/globals';
import { clock } from '../../../../../shared/clock.ts';
import { sendMessage } from '../../../../../shared/contract/operations.ts';
import { conversationCreatedAt, parseMessageId } from '../../../../../shared/ids.ts';
import { create, list, send } from '../../../../support/handlers/api-calls.ts';
import { request } from '../../../../support/handlers/invoke-handler.ts';
import { ann, bob } from '../../../../support/people/callers.ts';
import fc from '../../../../support/setup/fast-check.ts';
import { selectSize } from '../../../../support/setup/sample-size.ts';
import { beforeMessagePut, interceptCalls } from '../../../../support/table/call-hooks.ts';
import '../../../../support/setup/use-table.ts';

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Polls for newer messages like a client, until `done` returns true and no page remains. */
async function poll(conversationId: string, start: string, done: () => boolean): Promise<string[]> {
  const seen: string[] = [];
  let newest = start;
  for (;;) {
    const last = done();
    const page = await list(bob, conversationId, { ending_before: newest, limit: '7' });
    seen.push(...page.data.map(({ message }) => message).reverse());
    newest = page.data[0]?.id ?? newest;
    if (last && !page.has_more) return seen;
  }
}

/** Returns all messages of the conversation, oldest first. */
async function listAll(conversationId: string): Promise<{ id: string; message: string }[]> {
  const all: { id: string; message: string }[] = [];
  for (;;) {
    const oldest = all.at(-1)?.id;
    const page = await list(ann, conversationId, {
      limit: '100',
      ...(oldest && { starting_after: oldest }),
    });
    all.push(...page.data);
    if (!page.has_more) return all.reverse();
  }
}

describe('If some of many concurrent senders in a conversation are slow and some crash,', () => {
  const senders = 16;
  const each = selectSize(6, 24);

  /** A send that crashes has already reserved a sequence number. */
  const [slowShare, crashShare] = [0.2, 0.1];

  test('the log stores each sent message once, and a poller receives each once and in order', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    const start = (await send(ann, id, 'start')).id;
    beforeMessagePut(async () => {
      const chance = Math.random();
      if (chance < crashShare) throw new Error('The function crashes here.');
      if (chance < crashShare + slowShare) await wait(20 + Math.random() * 100);
    });

    const sent: string[] = [];
    const failed: string[] = [];
    let sending = senders;
    const sendSome = async (sender: number) => {
      for (let n = 0; n < each; n++) {
        const message = `${sender}.${n}`;
        const body = { conversation_id: id, message };
        const { status } = await request(sendMessage, { as: ann, body });
        (status === 201 ? sent : failed).push(message);
      }
      sending -= 1;
    };
    const polling = poll(id, start, () => sending === 0);
    await Promise.all(Array.from({ length: senders }, (_, sender) => sendSome(sender)));
    const polled = await polling;

    const stored = (await listAll(id)).slice(1).map(({ message }) => message);
    expect(sent.length + failed.length).toBe(senders * each);
    expect(stored.toSorted()).toEqual(sent.toSorted());
    expect(polled).toEqual(stored);
    for (let sender = 0; sender < senders; sender++) {
      const own = stored.filter((message) => message.startsWith(`${sender}.`));
      expect(own).toEqual(
        own.toSorted((a, b) => Number(a.split('.')[1]) - Number(b.split('.')[1])),
      );
    }
  });
});

describe('The log of a conversation', () => {
  test('has non-decreasing timestamps from the conversation’s creation onward, even if clocks differ', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -5000, max: 5000 }), { minLength: 1, maxLength: 8 }),
        async (skews) => {
          const { id } = await create(ann, { contact_id: 'bob' });
          for (const skew of skews) {
            jest.spyOn(clock, 'now').mockReturnValue(clock.now() + skew);
            await send(ann, id, 'x');
          }
          jest.restoreAllMocks();
          const times = (await listAll(id)).map((one) => parseMessageId(one.id)?.sentAt ?? 0);
          expect(times).toEqual(times.toSorted((a, b) => a - b));
          expect(times).toHaveLength(skews.length);
          expect(times[0]).toBeGreaterThanOrEqual(conversationCreatedAt(id));
        },
      ),
      { numRuns: selectSize(3, 20) },
    );
  });

  test('is read after one wait for sends in progress, and the message of a slower send follows the returned messages', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    await send(ann, id, 'start');
    const released: (() => void)[] = [];
    const undo = beforeMessagePut(() => new Promise((resolve) => released.push(resolve)));
    const slow = send(ann, id, 'slow');
    while (released.length < 1) await wait(1);
    const slower = send(ann, id, 'slower');
    while (released.length < 2) await wait(1);
    undo();
    await send(ann, id, 'quick');
    const sleep = jest.spyOn(clock, 'sleep').mockImplementation(async () => {
      released[0]?.();
      await slow;
    });

    const first = await list(bob, id);
    released[1]?.();
    await slower;

    expect(first.data.map(({ message }) => message)).toEqual(['quick', 'slow', 'start']);
    const newest = first.data[0]?.id ?? '';
    const since = await list(bob, id, { ending_before: newest });
    expect(since.data.map(({ message }) => message)).toEqual(['slower']);
    expect(sleep).toHaveBeenCalledTimes(1);
  });

  test('is read without a wait if it has no gaps', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    for (const text of ['one', 'two']) await send(ann, id, text);
    const sleep = jest.spyOn(clock, 'sleep');
    await list(bob, id);
    expect(sleep).not.toHaveBeenCalled();
  });

  test('returns a message that is stored just before the reader would fill its gap', async () => {
    const { id } = await create(ann, { contact_id: 'bob' });
    let released = () => {};
    let late: Promise<unknown> | undefined;
    interceptCalls(async ({ operation, input }, proceed) => {
      const isPut = operation === 'PutItem' && JSON.stringify(input).includes('MESSAGE#');
      const isMessage = JSON.stringify(input).includes('"message":');
      if (isPut && isMessage && late === undefined) {
        late = new Promise<void>((resolve) => {
          released = resolve;
        });
        await late;
      } else if (isPut && !isMessage) {
        released();
        await slow;
      }
      await proceed();
    });
    const slow = send(ann, id, 'slow');
    while (!late) await wait(1);
    await send(ann, id, 'quick');
    const shown = (await list(bob, id)).data.map(({ message }) => message);
    expect(shown).toEqual(['quick', 'slow']);
  });
});
