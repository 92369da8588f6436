import { randomUUID } from 'node:crypto';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import * as v from 'valibot';
import {
  createConversation,
  deleteConversation,
  sendMessage,
} from '../../shared/contract/operations.ts';
import { budgets } from '../cost/budgets.ts';
import { type Begun, type Check, Differs, NotCheckable, needed } from './check.ts';
import { call } from './client.ts';
import { noPeople, noServices, type Subject } from './subject.ts';

const patienceMilliseconds = 3 * 60_000;

const Line = v.object({ operation: v.string(), read_units: v.number(), write_units: v.number() });

const { writes, atAws } = budgets['messages/send'].directOnce;
const charged = writes + atAws.writes;
/** Stores the sender's contact in the same transaction, at most once a minute. */
const withContact = charged + 1;

/**
 * Checks the log lines of one request and its billed capacity: a message sent with an
 * Idempotency-Key.
 */
export function logChecks(subject: Subject): Begun {
  const sending = sendOne(subject);
  const checks: Check[] = [
    {
      name: 'Logs: access log line of a request',
      expected: 'a line with its Request-Id',
      cure: 'see lib/constructs/api/access-log.ts, and check that the account’s API Gateway may write logs (its CloudWatch role)',
      look: async () => {
        const { resources } = here(subject);
        const groups = await resources('AWS::Logs::LogGroup');
        const group = groups.find((name) => name.includes('AccessLog'));
        const { requestId, since } = await sending;
        return shortened(
          await lineWith(needed(group, 'there is no such log group'), requestId, since),
        );
      },
    },
    {
      name: 'Logs: function log line with the billed capacity',
      expected: `${charged} write units, or ${withContact} with the sender’s contact`,
      cure: 'update the cost of a send with an Idempotency-Key in docs/design.md and in commands/cost/budgets.ts',
      look: async () => {
        const group = await here(subject).logGroup(`${sendMessage.method} ${sendMessage.path}:`);
        const { requestId, since } = await sending;
        const line = await lineWith(group, requestId, since);
        const read = v.safeParse(v.pipe(v.string(), v.parseJson(), Line), line);
        if (!read.success) throw new Differs(shortened(line));
        const { write_units: units } = read.output;
        if (units !== charged && units !== withContact) throw new Differs(`${units} write units`);
        return `${units} write units`;
      },
    },
  ];
  return { checks, done: Promise.allSettled([sending]) };
}

function here({ kind, deployed }: Subject) {
  if (kind === 'local') {
    throw new NotCheckable('the local cloud stores no logs: see the terminal of npm start');
  }
  return needed(deployed, noServices);
}

async function sendOne(subject: Subject) {
  const { ANN, BOB } = needed(subject.people, noPeople(subject)).all;
  const since = Date.now();
  const { id } = (
    await call(subject.url, ANN, createConversation, { body: { contact_id: BOB.id } })
  ).reply;
  const { answer } = await call(subject.url, ANN, sendMessage, {
    body: { conversation_id: id, message: 'Is this written down?' },
    headers: { 'Idempotency-Key': randomUUID() },
  });
  await call(subject.url, ANN, deleteConversation, { path: { conversation_id: id } });
  return { requestId: answer.headers['request-id'] ?? '', since };
}

/** Log lines become searchable after some seconds. */
async function lineWith(logGroupName: string, requestId: string, since: number): Promise<string> {
  const client = new CloudWatchLogsClient();
  for (const end = Date.now() + patienceMilliseconds; ; ) {
    let nextToken: string | undefined;
    do {
      const page = await client.send(
        new FilterLogEventsCommand({
          logGroupName,
          filterPattern: `"${requestId}"`,
          startTime: since - 60_000,
          ...(nextToken !== undefined && { nextToken }),
        }),
      );
      const found = page.events
        ?.map(({ message = '' }) => message)
        .find((one) => one.includes('"'));
      if (found !== undefined) return found;
      nextToken = page.nextToken;
    } while (nextToken !== undefined);
    if (Date.now() > end) throw new Differs(`no line with ${requestId} in ${logGroupName}`);
    await new Promise((done) => setTimeout(done, 5000));
  }
}

const shortened = (line: string) => `${line.trim().slice(0, 100)}…`;
