import { confidentialThingChanged } from './afterwards.ts';
import { compile, type Sent } from './compile.ts';
import type { Reply } from './connection.ts';
import {
  brokenLink,
  deletedByAnother,
  differsFromReply,
  foreignThing,
  notAtLocation,
  wrongBusinesses,
} from './consequences.ts';
import { unexpected } from './expect-reply.ts';
import type { Fixture } from './fixture.ts';
import { faultOf } from './judge.ts';
import { sendAgain } from './raw-text.ts';
import { record } from './record.ts';
import type { RequestTemplate } from './request-template.ts';
import type { Tally } from './tally.ts';

/** Sends requests at the same time, and throws when anything that came of them is not as promised. */
export async function sendBatch(
  requests: readonly RequestTemplate[],
  fixture: Fixture,
  tally: Tally,
  n: number,
): Promise<void> {
  const sent = requests.map((template) => compile(template, fixture));
  fixture.model.nextBatch();
  const exchanges = await Promise.all(
    sent.map(async (one) => ({ one, reply: await replyTo(one, fixture) })),
  );
  for (const { one, reply } of exchanges) {
    tally.count(one.row, reply.status);
    if (one.row && one.caller && namesSecret(one, fixture)) tally.attempted(one.row);
  }
  // What has been changed and then deleted is gone; the other way round it could not have been changed.
  const isLast = ({ one }: { one: Sent }) => Number(one.method === 'DELETE');
  for (const { one, reply } of exchanges.toSorted((a, b) => isLast(a) - isLast(b))) {
    record(one, reply, fixture);
  }
  for (const { one, reply } of exchanges) {
    complain(
      one,
      reply,
      fixture,
      faultOf(one, reply, fixture) ??
        unexpected(one, reply) ??
        foreignThing(one, reply, fixture) ??
        deletedByAnother(one, reply, fixture) ??
        wrongBusinesses(one, reply, fixture),
    );
  }
  await Promise.all(
    exchanges.map(async ({ one, reply }, index) => {
      complain(one, reply, fixture, await differsFromReply(one, fixture));
      complain(one, reply, fixture, await notAtLocation(one, reply, fixture));
      if (index % 4 === 0) complain(one, reply, fixture, await brokenLink(one, reply, fixture));
    }),
  );
  const change = await confidentialThingChanged(fixture, n);
  if (change)
    throw new Error(`${change} After:\n${sent.map((one) => sendAgain(one, fixture)).join('\n\n')}`);
}

const namesSecret = ({ target, body }: Sent, { confidential }: Fixture): boolean =>
  [...confidential.conversations, ...confidential.messages, ...confidential.people].some(
    (id) =>
      target.split(/[/=&?]/).includes(id) || body.includes(`"${id}"`) || body.includes(`=${id}`),
  );

async function replyTo(sent: Sent, fixture: Fixture): Promise<Reply> {
  try {
    return await fixture.client.send(sent.bytes, sent.method);
  } catch (error) {
    throw new Error(`${error}\nTo:\n${sendAgain(sent, fixture)}`);
  }
}

function complain(sent: Sent, reply: Reply, fixture: Fixture, fault: string | undefined): void {
  if (!fault) return;
  const { row, caller, template } = sent;
  const headers = reply.headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  throw new Error(
    [
      fault,
      `(${template.intent}, to ${row?.id ?? 'nothing'}, as ${caller?.id ?? 'nobody'})`,
      sendAgain(sent, fixture),
      `The reply: ${reply.status}`,
      headers,
      reply.body.slice(0, 3000),
    ].join('\n'),
  );
}
