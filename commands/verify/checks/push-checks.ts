import * as v from 'valibot';
import { Problem } from '../../../lib/problem.ts';
import {
  createConversation,
  deleteConversation,
  retrieveLive,
  sendMessage,
} from '../../../shared/contract/operations.ts';
import { Event } from '../../../shared/contract/resources/event.ts';
import { callOperation } from '../../api/call-operation.ts';
import { type Check, NotCheckable, requireValue } from '../target/check.ts';
import { getNoUsersReason, type VerifyTarget } from '../target/target.ts';

const maxWaitMilliseconds = 30_000;
const resendMilliseconds = 10_000;

export const pushChecks = (target: VerifyTarget): Check[] => [
  {
    name: 'Push: a listener connects, subscribes and receives a message',
    expected: 'connection_ack, subscribe_success and a message, each within 30 s',
    cure: 'if the connection or subscription was refused and the log of the function ChannelAuthorizer has no line for it, AppSync did not invoke the function: replace the scheme `Token` with one that AppSync accepts, in client/src/live/connection/push-connection.ts, commands/verify/checks/push-checks.ts and docs/live.md',
    run: () => receiveMessage(target),
  },
];

async function receiveMessage(target: VerifyTarget): Promise<string> {
  if (target.stage?.events === false)
    throw new NotCheckable('the stage has no events: see lib/stages.ts');
  const { ANN, BOB } = requireValue(target.users, getNoUsersReason(target)).all;
  const { reply: live } = await callOperation(target.url, ANN, retrieveLive);
  const listener = openListener(live, ANN.token);
  try {
    await listener.waitFor('connection_ack', ({ type }) => type === 'connection_ack');
    // Near the end of an hour, the last channel is the next hour's, so it stays valid longer.
    const own = live.channels.findLast(({ group_id }) => group_id === null);
    listener.subscribe(own?.name ?? '');
    await listener.waitFor('subscribe_success', ({ type }) => type === 'subscribe_success');
    const { reply: conversation } = await callOperation(target.url, BOB, createConversation, {
      body: { contact_id: ANN.id },
    });
    const ids = new Set<string>();
    const body = { conversation_id: conversation.id, message: 'verify' };
    const send = async () =>
      ids.add((await callOperation(target.url, BOB, sendMessage, { body })).reply.id);
    await send();
    const startedAt = Date.now();
    // AppSync may lose a push right after a subscription starts, so the check sends a second
    // message.
    const resend = setTimeout(() => send().catch(() => {}), resendMilliseconds);
    try {
      await listener.waitFor('a message', (frame) => ids.has(readEvent(frame)?.payload?.id ?? ''));
    } finally {
      clearTimeout(resend);
    }
    const seen = `a message arrived ${Date.now() - startedAt} ms after the first send`;
    const path = { conversation_id: conversation.id };
    await callOperation(target.url, BOB, deleteConversation, { path });
    return seen;
  } finally {
    listener.close();
  }
}

const Frame = v.looseObject({ type: v.string(), event: v.optional(v.string()) });
type Frame = v.InferOutput<typeof Frame>;

const EventText = v.pipe(v.string(), v.parseJson(), Event);

function readEvent({ type, event }: Frame): Event | undefined {
  const parsed = v.safeParse(EventText, event);
  return type === 'data' && parsed.success ? parsed.output : undefined;
}

/** Opens a WebSocket as described in docs/live.md. */
function openListener({ url, host }: { url: string; host: string }, token: string) {
  const authorization = { Authorization: `Token ${token}`, host };
  const header = Buffer.from(JSON.stringify(authorization)).toString('base64url');
  const socket = new WebSocket(url, ['aws-appsync-event-ws', `header-${header}`]);
  const frames: Frame[] = [];
  let closeCode: number | undefined;
  const send = (frame: object) => socket.send(JSON.stringify(frame));
  socket.addEventListener('open', () => send({ type: 'connection_init' }));
  socket.addEventListener('message', ({ data }) => {
    frames.push(v.parse(v.pipe(v.string(), v.parseJson(), Frame), data));
  });
  socket.addEventListener('close', ({ code }) => {
    closeCode = code;
  });
  return {
    close: () => socket.close(),
    subscribe: (channel: string) =>
      send({ type: 'subscribe', id: 'verify', channel, authorization }),
    waitFor: async (expected: string, isExpected: (frame: Frame) => boolean): Promise<void> => {
      const deadline = Date.now() + maxWaitMilliseconds;
      while (!frames.some(isExpected)) {
        const refusal = frames.find(({ type }) => type.endsWith('error'));
        if (refusal) throw new Problem(`${JSON.stringify(refusal)} instead of ${expected}`);
        if (closeCode !== undefined)
          throw new Problem(`the socket closed with ${closeCode} before ${expected}`);
        if (Date.now() > deadline) throw new Problem(`${expected} did not arrive within 30 s`);
        await new Promise((done) => setTimeout(done, 50));
      }
    },
  };
}
