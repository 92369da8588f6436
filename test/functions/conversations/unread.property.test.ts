import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { clock } from '../../../shared/clock.ts';
import { retrieveConversation } from '../../../shared/contract/operations.ts';
import { env } from '../../../shared/env.ts';
import { usage } from '../../../shared/log/usage.ts';
import { update } from '../../../shared/table/calls/access.ts';
import { conversationKey, messageKey } from '../../../shared/table/keys/keys.ts';
import { newMessage } from '../../../shared/table/messages/log/message-item.ts';
import { create } from '../../support/handlers/api-calls.ts';
import { ok } from '../../support/handlers/invoke-handler.ts';
import { ann, bob } from '../../support/people/callers.ts';
import fc from '../../support/setup/fast-check.ts';
import { selectSize } from '../../support/setup/sample-size.ts';
import { documentClient } from '../../support/table/document-client.ts';
import '../../support/setup/use-table.ts';

type State = 'own' | 'other' | 'deleted' | 'in flight' | 'crashed';
interface SequenceState {
  state: State;
  sequence: number;
  /** Reservation times of this sequence number and the previous one, in Unix milliseconds. */
  at: number;
  previous_at: number;
}

/**
 * Ranges of sequence numbers with the same state. Many ranges contain the reader's own messages, so
 * that a count makes several calls and stores its progress.
 */
const history = fc.array(
  fc.record({
    state: fc.constantFrom<State>('own', 'own', 'own', 'other', 'deleted', 'in flight', 'crashed'),
    length: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 60, max: 160 })),
  }),
  { minLength: 2, maxLength: 7 },
);

/**
 * Returns sequence numbers reserved at a rate of one per millisecond. The sequence numbers up to
 * the last crashed send were reserved over 100 seconds ago, so their sends have ended.
 */
function toSequences(states: State[]): SequenceState[] {
  const now = clock.now();
  const lastCrashed = states.lastIndexOf('crashed') + 1;
  const timeOf = (sequence: number) =>
    now - 5000 - (sequence <= lastCrashed ? 100_000 : 0) + sequence;
  return states.map((state, n) => ({
    state: state === 'in flight' && n < lastCrashed ? 'crashed' : state,
    sequence: n + 1,
    at: timeOf(n + 1),
    previous_at: timeOf(n),
  }));
}

const contentOf = (
  conversationId: string,
  { state, sequence, at, previous_at }: SequenceState,
) => ({
  ...messageKey(conversationId, sequence),
  ...(state === 'deleted'
    ? { sequence, previous_at, deletion: 'deletion', deleted_at: at }
    : newMessage(
        { conversationId, sequence, sentAt: at },
        state === 'own' ? bob.id : ann.id,
        { message: 'text', attachments: [] },
        previous_at,
      )),
});

async function put(conversationId: string, sequences: SequenceState[]): Promise<void> {
  for (let at = 0; at < sequences.length; at += 25) {
    const requests = sequences
      .slice(at, at + 25)
      .map((sequence) => ({ PutRequest: { Item: contentOf(conversationId, sequence) } }));
    await documentClient.send(
      new BatchWriteCommand({ RequestItems: { [env('TABLE_NAME')]: requests } }),
    );
  }
}

const setMessageCount = (id: string, message_count: number) =>
  update({
    Key: conversationKey(id),
    UpdateExpression: 'SET message_count = :count',
    ExpressionAttributeValues: { ':count': message_count },
  });

/** A history so long that counting takes a second call and then stores its progress. */
const longHistory: { state: State; length: number }[] = [
  { state: 'own', length: 160 },
  { state: 'other', length: 1 },
];

test('The stored progress of an unread count does not change the next count, even if messages arrive late', async () => {
  const call = { as: bob, query: { 'expand[]': 'unread_count' } };
  const count = async (conversation_id: string) =>
    (await ok(retrieveConversation, { ...call, path: { conversation_id } })).unread_count;
  let progressWrites = 0;
  await fc.assert(
    fc.asyncProperty(history, async (runs) => {
      const sequences = toSequences(runs.flatMap(({ state, length }) => Array(length).fill(state)));
      const filterByState = (...states: State[]) =>
        sequences.filter(({ state }) => states.includes(state));
      const { id } = await create(ann, { contact_id: bob.id });
      await setMessageCount(id, sequences.length);
      await put(id, filterByState('own', 'other', 'deleted'));

      const unread = Math.min(100, filterByState('other').length);
      expect(await count(id)).toBe(unread);
      progressWrites += usage.write_units;
      expect(await count(id)).toBe(unread);
      expect(usage.write_units).toBe(0);
      await put(id, filterByState('in flight'));
      expect(await count(id)).toBe(Math.min(100, filterByState('other', 'in flight').length));
    }),
    { numRuns: selectSize(10, 50), examples: [[longHistory]] },
  );
  expect(progressWrites).toBeGreaterThan(0);
});
