import { type ClientOptions, type LiveOptions, live } from '../../../client/src/index.ts';
import { advanceTime, createSimulation } from './simulation.ts';

const second = 1000;
const minute = 60 * second;

/** Starts Ann's live inbox with a conversation that Bob has created. */
export async function startListening(
  options: LiveOptions = {},
  clientOptions: Partial<ClientOptions> = {},
) {
  const { service, network, client } = createSimulation(3, clientOptions);
  const conversation = service.create('bob', { contact: 'ann' });
  const inbox = live(client, { WebSocket: network.WebSocket, ...options });
  const state = () => {
    const { status, error } = inbox.getSnapshot();
    return [status, error?.name ?? null];
  };
  await advanceTime(10 * second);
  let n = 0;
  /** Sends Bob's next message. Reports whether the inbox shows it after `within` milliseconds. */
  const receivesNextMessage = async (within = 2 * second) => {
    n += 1;
    service.send('bob', conversation, `${n}`);
    await advanceTime(within);
    return inbox.getSnapshot().conversations[0]?.last_message?.message === `${n}`;
  };
  /**
   * Advances the clock by `within` milliseconds. Returns the number of times that the client sent
   * `request`.
   */
  const countRequests = async (request: string, within: number) => {
    const before = network.requests.length;
    await advanceTime(within);
    return network.requests.slice(before).filter((one) => one === request).length;
  };
  /** Makes the client retrieve the unread count, and makes that request fail. */
  const failUnreadCount = async () => {
    await receivesNextMessage();
    network.overrideReply = (request) =>
      /conversations.\w/.test(request) ? { status: 503, body: { code: 'unavailable' } } : undefined;
    service.respond('ann', 'GET', `/v1/messages?conversation_id=${conversation.id}`, {});
    await advanceTime(minute);
  };
  return {
    service,
    network,
    client,
    conversation,
    inbox,
    state,
    receivesNextMessage,
    countRequests,
    failUnreadCount,
  };
}
