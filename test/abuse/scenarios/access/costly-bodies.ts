import { expect } from '@jest/globals';
import { sendMessage, updateMessage } from '../../../../shared/contract/operations.ts';
import { send } from '../../../acceptance/support/api.ts';
import { scenario } from '../../support/scenario.ts';
import {
  readCalls,
  type SeededConversation,
  seedConversation,
  sendCalls,
} from '../../support/seeded-conversation.ts';

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
const maxBytes = 256 * 1024;
const times = (count: number, text: string) => text.repeat(count);

/** Invalid messages and updates. One body exceeds the maximum size. */
const bodies: [string, string][] = [
  [json, times(maxBytes / 2, '[') + times(maxBytes / 2, ']')],
  [json, `{"a":${times(40_000, '{"a":')}1${times(40_000, '}')}}`],
  [json, `{"message":${times(maxBytes - 20, '9')}}`],
  [json, `{${Array.from({ length: 20_000 }, (_, n) => `"f${n}":1`).join()}}`],
  [json, JSON.stringify({ reactions: Array.from({ length: 5000 }, (_, n) => ({ [n]: [1] })) })],
  [form, `message${times(80_000, '[]')}=1`],
  [form, `message${times(60_000, '[a]')}=1`],
  [form, times(40_000, 'a[]=1&')],
  [
    form,
    Array.from({ length: 999 }, (_, n) => `reactions[${n}][${'x'.repeat(64)}][]=a b`).join('&'),
  ],
  [form, `reactions${times(1000, '%5B')}=1`],
  [form, times(80_000, '%F0%9F%A6')],
  [form, times(maxBytes - 1, '&')],
];

export const costlyBodies = [
  scenario<SeededConversation>({
    title: 'A client sends bodies that are expensive to parse',
    quiet: (abuse) => seedConversation(abuse),
    abused: (abuse) => seedConversation(abuse),
    hostileAction: async ({ ann, messages }) => {
      for (const [type, body] of bodies) {
        const headers = { 'Content-Type': type };
        const path = { message_id: messages[0]?.id ?? '' };
        for (const reply of [
          await send(ann, sendMessage, { body, headers }),
          await send(ann, updateMessage, { path, body, headers }),
        ]) {
          const text = await reply.text();
          if (reply.status >= 500) {
            throw new Error(`${type} ${body.slice(0, 40)}… returned ${reply.status}: ${text}`);
          }
        }
      }
    },
    honestCalls: (seeded) => [...readCalls(seeded), ...sendCalls(seeded)],
    checkAfterwards: async ({ messages }) => {
      expect(messages.length).toBeGreaterThan(0);
    },
  }),
];
