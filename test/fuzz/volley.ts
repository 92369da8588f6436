import { plantedThingChanged } from './afterwards.ts';
import { compile, type Sent } from './compile.ts';
import type { Reply } from './connection.ts';
import {
  brokenLink,
  deletedByAnother,
  foreignThing,
  notAsTold,
  notAtLocation,
  wrongBusinesses,
} from './consequences.ts';
import { unexpected } from './expect-reply.ts';
import { faultOf } from './judge.ts';
import { sendAgain } from './raw-text.ts';
import { record } from './record.ts';
import type { Shot } from './shot.ts';
import type { Tally } from './tally.ts';
import type { World } from './world.ts';

/** Sends requests at the same time, and throws when anything that came of them is not as promised. */
export async function volley(
  shots: readonly Shot[],
  world: World,
  tally: Tally,
  n: number,
): Promise<void> {
  const sent = shots.map((shot) => compile(shot, world));
  world.ledger.nextBatch();
  const exchanges = await Promise.all(
    sent.map(async (one) => ({ one, reply: await replyTo(one, world) })),
  );
  for (const { one, reply } of exchanges) {
    tally.count(one.row, reply.status);
    if (one.row && one.caller && namesSecret(one, world)) tally.attempted(one.row);
  }
  // What has been changed and then deleted is gone; the other way round it could not have been changed.
  const isLast = ({ one }: { one: Sent }) => Number(one.method === 'DELETE');
  for (const { one, reply } of exchanges.toSorted((a, b) => isLast(a) - isLast(b))) {
    record(one, reply, world);
  }
  for (const { one, reply } of exchanges) {
    complain(
      one,
      reply,
      world,
      faultOf(one, reply, world) ??
        unexpected(one, reply) ??
        foreignThing(one, reply, world) ??
        deletedByAnother(one, reply, world) ??
        wrongBusinesses(one, reply, world),
    );
  }
  await Promise.all(
    exchanges.map(async ({ one, reply }, index) => {
      complain(one, reply, world, await notAsTold(one, world));
      complain(one, reply, world, await notAtLocation(one, reply, world));
      if (index % 4 === 0) complain(one, reply, world, await brokenLink(one, reply, world));
    }),
  );
  const change = await plantedThingChanged(world, n);
  if (change)
    throw new Error(`${change} After:\n${sent.map((one) => sendAgain(one, world)).join('\n\n')}`);
}

const namesSecret = ({ target, body }: Sent, { planted }: World): boolean =>
  [...planted.conversations, ...planted.messages].some(
    (id) =>
      target.split(/[/=&?]/).includes(id) || body.includes(`"${id}"`) || body.includes(`=${id}`),
  );

async function replyTo(sent: Sent, world: World): Promise<Reply> {
  try {
    return await world.client.send(sent.bytes, sent.method);
  } catch (error) {
    throw new Error(`${error}\nTo:\n${sendAgain(sent, world)}`);
  }
}

function complain(sent: Sent, reply: Reply, world: World, fault: string | undefined): void {
  if (!fault) return;
  const { row, caller, shot } = sent;
  const headers = reply.headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  throw new Error(
    [
      fault,
      `(${shot.intent}, to ${row?.id ?? 'nothing'}, as ${caller?.id ?? 'nobody'})`,
      sendAgain(sent, world),
      `The reply: ${reply.status}`,
      headers,
      reply.body.slice(0, 3000),
    ].join('\n'),
  );
}
