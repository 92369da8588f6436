import type { RequestTemplate } from '../requests/request-template.ts';
import type { Fixture } from '../run/fixture.ts';
import type { Reply } from '../run/raw-client.ts';
import { compileRequest, type Sent } from '../send/compile-request.ts';
import { formatAsCommand } from '../send/format-curl.ts';
import {
  checkLocation,
  findBrokenLink,
  findForbiddenDeletion,
  findForeignResource,
  findUnstoredWrite,
  findWrongBusinesses,
} from './check-effects.ts';
import { findUnexpectedReply } from './check-expected-reply.ts';
import { findConfidentialChange } from './check-final-state.ts';
import { findForeignGroup } from './check-groups.ts';
import { findFault } from './check-reply.ts';
import { findForeignUpload, storeUploads } from './check-uploads.ts';
import type { Tally } from './coverage-tally.ts';
import { recordChange } from './record-change.ts';

/**
 * Sends requests concurrently, and records the replies in the tally and the model. Throws if a
 * reply or its effect breaks the contract.
 */
export async function sendBatch(
  requests: readonly RequestTemplate[],
  fixture: Fixture,
  tally: Tally,
  n: number,
): Promise<void> {
  const sent = requests.map((template) => compileRequest(template, fixture));
  fixture.model.nextBatch();
  const exchanges = await Promise.all(
    sent.map(async (one) => ({ one, reply: await replyTo(one, fixture) })),
  );
  for (const { one, reply } of exchanges) {
    tally.count(one.row, reply.status);
    if (one.row && one.caller && namesSecret(one, fixture)) tally.attempted(one.row);
  }
  // Records deletions last, because a change that succeeded took effect before the resource's
  // deletion.
  const isLast = ({ one }: { one: Sent }) => Number(one.method === 'DELETE');
  for (const { one, reply } of exchanges.toSorted((a, b) => isLast(a) - isLast(b))) {
    recordChange(one, reply, fixture);
  }
  for (const { one, reply } of exchanges) {
    throwFault(
      one,
      reply,
      fixture,
      findFault(one, reply, fixture) ??
        findUnexpectedReply(one, reply, fixture) ??
        findForeignResource(one, reply, fixture) ??
        findForeignUpload(one, reply, fixture) ??
        findForeignGroup(one, reply, fixture) ??
        findForbiddenDeletion(one, reply, fixture) ??
        findWrongBusinesses(one, reply, fixture),
    );
  }
  await Promise.all(
    exchanges.map(async ({ one, reply }, index) => {
      throwFault(one, reply, fixture, await storeUploads(one, reply, fixture));
      throwFault(one, reply, fixture, await findUnstoredWrite(one, fixture));
      throwFault(one, reply, fixture, await checkLocation(one, reply, fixture));
      if (index % 4 === 0)
        throwFault(one, reply, fixture, await findBrokenLink(one, reply, fixture));
    }),
  );
  const change = await findConfidentialChange(fixture, n);
  if (change)
    throw new Error(
      `${change} After:\n${sent.map((one) => formatAsCommand(one, fixture)).join('\n\n')}`,
    );
}

const namesSecret = ({ target, body }: Sent, { confidential }: Fixture): boolean =>
  [
    ...confidential.conversations,
    ...confidential.messages,
    ...confidential.uploads,
    ...confidential.groups,
    ...confidential.people,
  ].some(
    (id) =>
      target.split(/[/=&?]/).includes(id) || body.includes(`"${id}"`) || body.includes(`=${id}`),
  );

async function replyTo(sent: Sent, fixture: Fixture): Promise<Reply> {
  try {
    return await fixture.client.send(sent.bytes, sent.method);
  } catch (error) {
    throw new Error(`${error}\nTo:\n${formatAsCommand(sent, fixture)}`);
  }
}

function throwFault(sent: Sent, reply: Reply, fixture: Fixture, fault: string | undefined): void {
  if (!fault) return;
  const { row, caller, template } = sent;
  const headers = reply.headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  throw new Error(
    [
      fault,
      `(${template.intent}, to ${row?.id ?? 'no operation'}, as ${caller?.id ?? 'no caller'})`,
      formatAsCommand(sent, fixture),
      `The reply: ${reply.status}`,
      headers,
      reply.body.slice(0, 3000),
    ].join('\n'),
  );
}
