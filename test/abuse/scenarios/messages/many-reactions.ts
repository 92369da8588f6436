import { expect } from '@jest/globals';
import {
  listMessages,
  retrieveMessage,
  updateConversation,
  updateMessage,
} from '../../../../shared/contract/operations.ts';
import { edit, react, removeMessage, send } from '../../../support/handlers/api-calls.ts';
import { request } from '../../../support/handlers/invoke-handler.ts';
import type { AbuseRun, Participant } from '../../support/abuse-run.ts';
import { honestCall } from '../../support/honest-call.ts';
import { largest } from '../../support/message-sizes.ts';
import { scenario } from '../../support/scenario.ts';
import { openConversation } from '../../support/seed-history.ts';

interface Talk {
  id: string;
  messageId: string;
  ann: Participant;
  bob: Participant;
  groups: string[];
}

/**
 * Name of Bob's reaction. Other people use 49 other names, so the message has the maximum of 50
 * names.
 */
const own = 'ok';

/** Creates a group in which Ann sends a message of the maximum size and Bob reacts to it. */
async function groupTalk(abuse: AbuseRun): Promise<Talk> {
  const { id: group } = await abuse.createParticipant('group');
  const groups = [group];
  const ann = await abuse.createParticipant('ann', { groups });
  const bob = await abuse.createParticipant('bob', { groups });
  const id = await openConversation(ann, { group_id: group });
  const { id: messageId } = await send(ann.caller, id, largest.text, largest.more);
  await react(bob.caller, messageId, { [own]: [bob.id] });
  return { id, messageId, ann, bob, groups };
}

const maxPeople = 12_000;

/**
 * Adds reactions from one person after another until the service rejects one. Throws on a 5xx
 * response.
 */
async function fillReactions(
  abuse: AbuseRun,
  { messageId, groups }: Talk,
  idLength: number,
  names: string[],
): Promise<void> {
  for (let n = 0; n < maxPeople; n++) {
    const { caller } = await abuse.createParticipant('someone', { groups });
    const id = caller.id.padEnd(idLength, '-');
    const reactions = Object.fromEntries(names.map((name) => [name, [id]]));
    const { status, body } = await request(updateMessage, {
      as: { ...caller, id },
      path: { message_id: messageId },
      body: { reactions },
    });
    if (status === 200) continue;
    if (status >= 500) throw new Error(`The reaction returned ${status}: ${JSON.stringify(body)}`);
    return;
  }
}

const longNames = Array.from({ length: 49 }, (_, n) => String(n).padEnd(64, 'x'));

const filled = (title: string, idLength: number, names: string[], maxUnits: number) =>
  scenario<Talk>({
    title,
    maxUnits,
    quiet: groupTalk,
    abused: async (abuse) => {
      const talk = await groupTalk(abuse);
      await fillReactions(abuse, talk, idLength, names);
      return talk;
    },
    honestCalls: ({ id, messageId, ann, bob }) => {
      const path = { message_id: messageId };
      return [
        honestCall('retrieve the message', bob, retrieveMessage, { path }),
        honestCall(
          'list messages',
          bob,
          listMessages,
          { query: { conversation_id: id } },
          ({ data }) => {
            expect(data.map((one) => one.id)).toEqual([messageId]);
          },
        ),
        honestCall('list messages across conversations', bob, listMessages, {}, ({ data }) => {
          expect(data.map((one) => one.id)).toEqual([messageId]);
        }),
        honestCall('remove a reaction', bob, updateMessage, {
          path,
          body: { reactions: { [own]: [] } },
        }),
        honestCall('edit the message', ann, updateMessage, {
          path,
          body: { message: largest.text },
        }),
        honestCall('pin the message', bob, updateConversation, {
          path: { conversation_id: id },
          body: { pinned_message_id: messageId },
        }),
        honestCall('unpin the message', bob, updateConversation, {
          path: { conversation_id: id },
          body: { pinned_message_id: null },
        }),
      ];
    },
    checkAfterwards: async ({ ann, messageId }) => {
      await edit(ann.caller, messageId, { attachments: [] });
      await removeMessage(ann.caller, messageId);
    },
  });

export const manyReactions = [
  filled(
    'People with ids of the maximum length react with 49 long names each until the service rejects a reaction',
    128,
    longNames,
    // Pinning the message writes 130 KB in a transaction, at two write units per KB.
    2 * 130 + 10,
  ),
  filled(
    'People with 36-character ids react with 49 emoji each until the service rejects a reaction',
    36,
    Array.from({ length: 49 }, (_, n) => String.fromCodePoint(0x1f600 + n)),
    2 * 40 + 10,
  ),
];
