import { randomUUID } from 'node:crypto';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import * as v from 'valibot';
import { Problem } from '../../../lib/problem.ts';
import {
  createConversation,
  deleteConversation,
  sendMessage,
} from '../../../shared/contract/operations.ts';
import { callOperation } from '../../api/call-operation.ts';
import { budgets } from '../../cost/budgets.ts';
import { type BackgroundChecks, type Check, NotCheckable, requireValue } from '../target/check.ts';
import { getNoUsersReason, noServicesReason, type VerifyTarget } from '../target/target.ts';

const maxWaitMilliseconds = 3 * 60_000;

const LogLine = v.object({
  operation: v.string(),
  read_units: v.number(),
  write_units: v.number(),
});

const { writes, atAws } = budgets['messages/send'].directOnce;
const billedWrites = writes + atAws.writes;
/** Includes the write to the sender's contact, which some sends omit. */
const billedWritesWithContact = billedWrites + 1;

/** Sends a message with an Idempotency-Key, and returns the checks of its log lines. */
export function logChecks(target: VerifyTarget): BackgroundChecks {
  const sentMessage = sendMessageOnce(target);
  const checks: Check[] = [
    {
      name: 'Logs: access log line of a request',
      expected: 'a line with its Request-Id',
      cure: 'see lib/constructs/api/access-log.ts, and check the CloudWatch role that permits API Gateway to write logs',
      run: async () => {
        const { resources } = requireResources(target);
        const groups = await resources('AWS::Logs::LogGroup');
        const group = groups.find((name) => name.includes('AccessLog'));
        const { requestId, since } = await sentMessage;
        return shorten(
          await findLogLine(
            requireValue(group, 'the stack has no access log group'),
            requestId,
            since,
          ),
        );
      },
    },
    {
      name: 'Logs: function log line with the billed capacity',
      expected: `${billedWrites} write units, or ${billedWritesWithContact} if the send also writes the sender’s contact`,
      cure: 'update the cost of a send with an Idempotency-Key in docs/design.md and in commands/cost/budgets.ts',
      run: async () => {
        const group = await requireResources(target).logGroup(
          `${sendMessage.method} ${sendMessage.path}:`,
        );
        const { requestId, since } = await sentMessage;
        const line = await findLogLine(group, requestId, since);
        const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), LogLine), line);
        if (!parsed.success) throw new Problem(shorten(line));
        const { write_units: units } = parsed.output;
        if (units !== billedWrites && units !== billedWritesWithContact)
          throw new Problem(`${units} write units`);
        return `${units} write units`;
      },
    },
  ];
  return { checks, finished: Promise.allSettled([sentMessage]) };
}

function requireResources({ kind, deployed }: VerifyTarget) {
  if (kind === 'local') {
    throw new NotCheckable('the local cloud stores no logs: see the terminal that runs npm start');
  }
  return requireValue(deployed, noServicesReason);
}

async function sendMessageOnce(target: VerifyTarget) {
  const { ANN, BOB } = requireValue(target.users, getNoUsersReason(target)).all;
  const since = Date.now();
  const { id } = (
    await callOperation(target.url, ANN, createConversation, { body: { contact_id: BOB.id } })
  ).reply;
  const { response } = await callOperation(target.url, ANN, sendMessage, {
    body: { conversation_id: id, message: 'Is this written down?' },
    headers: { 'Idempotency-Key': randomUUID() },
  });
  await callOperation(target.url, ANN, deleteConversation, { path: { conversation_id: id } });
  return { requestId: response.headers['request-id'] ?? '', since };
}

/**
 * Polls every five seconds for up to three minutes, because log lines become searchable only after
 * several seconds. Throws a Problem if no line is found.
 */
async function findLogLine(
  logGroupName: string,
  requestId: string,
  since: number,
): Promise<string> {
  const client = new CloudWatchLogsClient();
  for (const deadline = Date.now() + maxWaitMilliseconds; ; ) {
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
      const match = page.events
        ?.map(({ message = '' }) => message)
        .find((message) => message.includes('"'));
      if (match !== undefined) return match;
      nextToken = page.nextToken;
    } while (nextToken !== undefined);
    if (Date.now() > deadline) throw new Problem(`no line with ${requestId} in ${logGroupName}`);
    await new Promise((resolve) => setTimeout(resolve, 5000));
  }
}

const shorten = (line: string) => `${line.trim().slice(0, 100)}…`;
