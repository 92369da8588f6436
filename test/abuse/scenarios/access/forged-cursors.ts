import { expect } from '@jest/globals';
import { listMessages } from '../../../../shared/contract/operations.ts';
import { parseMessageId, toMessageId } from '../../../../shared/ids.ts';
import { honestCall } from '../../support/honest-call.ts';
import { scenario } from '../../support/scenario.ts';
import { type SeededConversation, seedConversation } from '../../support/seeded-conversation.ts';

/** A conversation and a cursor's position in it. In the `abused` setup, the cursor is forged. */
interface Guess {
  seeded: SeededConversation;
  sequence: number;
  sentAt: number;
}

const unreachableSequence = 2 ** 38;

const guesses = (
  title: string,
  sequence: number,
  sentAt: number,
  emptyDirection: 'older' | 'newer',
) =>
  scenario<Guess>({
    title,
    quiet: async (abuse) => {
      const seeded = await seedConversation(abuse, {
        deleted: abuse.scale(1000),
        retainOneIn: 1,
      });
      const middle = parseMessageId(seeded.messages[500]?.id ?? '');
      return { seeded, sequence: middle?.sequence ?? 0, sentAt: middle?.sentAt ?? 0 };
    },
    abused: async (abuse) => ({
      seeded: await seedConversation(abuse, { deleted: abuse.scale(1000), retainOneIn: 1 }),
      sequence,
      sentAt,
    }),
    honestCalls: ({ seeded: { id, bob }, sequence: cursorSequence, sentAt: at }) => {
      const cursor = toMessageId({ conversationId: id, sequence: cursorSequence, sentAt: at });
      const expectEmpty = (data: unknown[]) => {
        if (cursorSequence === sequence) expect(data).toEqual([]);
      };
      const [older, newer] = [{ starting_after: cursor }, { ending_before: cursor }];
      return [
        honestCall(
          'list older messages',
          bob,
          listMessages,
          { query: { conversation_id: id, ...older } },
          ({ data }) => {
            if (emptyDirection === 'older') expectEmpty(data);
          },
        ),
        honestCall(
          'poll',
          bob,
          listMessages,
          { query: { conversation_id: id, ...newer } },
          ({ data }) => {
            if (emptyDirection === 'newer') expectEmpty(data);
          },
        ),
        honestCall('list older messages across conversations', bob, listMessages, { query: older }),
        honestCall('list newer messages across conversations', bob, listMessages, { query: newer }),
      ];
    },
  });

export const forgedCursors = [
  guesses(
    'A client lists from a cursor with a future sequence number and timestamp',
    unreachableSequence,
    2 ** 44,
    'newer',
  ),
  guesses('A client lists from a cursor before the first message', 0, 0, 'older'),
];
