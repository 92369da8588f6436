import { type ClientOptions, type LiveOptions, live } from '../../../client/src/index.ts';
import { onPaper, pass } from './world.ts';

const second = 1000;
const minute = 60 * second;

/** Ann listens to what Bob writes to her. */
export async function listening(
  options: LiveOptions = {},
  clientOptions: Partial<ClientOptions> = {},
) {
  const { service, network, client } = onPaper(3, clientOptions);
  const talk = service.create('bob', { contact: 'ann' });
  const inbox = live(client, { WebSocket: network.WebSocket, ...options });
  const state = () => {
    const { status, error } = inbox.getSnapshot();
    return [status, error?.name ?? null];
  };
  await pass(10 * second);
  let n = 0;
  /** Whether she sees what he writes now within so many milliseconds. */
  const sees = async (within = 2 * second) => {
    n += 1;
    service.send('bob', talk, `${n}`);
    await pass(within);
    return inbox.getSnapshot().conversations[0]?.last_message?.message === `${n}`;
  };
  /** How often something is asked for within so many milliseconds. */
  const asked = async (request: string, within: number) => {
    const before = network.requests.length;
    await pass(within);
    return network.requests.slice(before).filter((one) => one === request).length;
  };
  /** How many are unread has to be asked for, and cannot be. */
  const failToCount = async () => {
    await sees();
    network.replyTo = (request) =>
      /conversations.\w/.test(request) ? { status: 503, body: { code: 'unavailable' } } : undefined;
    service.answer('ann', 'GET', `/v1/messages?conversation_id=${talk.id}`, {});
    await pass(minute);
  };
  return { service, network, client, talk, inbox, state, sees, asked, failToCount };
}
