import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import type { Stack } from './read-stack.ts';
import { toWildcardRegExp } from './wildcard.ts';

const SourceArn = v.object({ 'aws:SourceArn': v.string() });
const Statement = v.object({
  Effect: v.string(),
  Action: v.union([v.string(), v.array(v.string())]),
  Principal: v.optional(v.unknown()),
  Condition: v.optional(
    v.object({ ArnEquals: v.optional(SourceArn), ArnLike: v.optional(SourceArn) }),
  ),
});
const PolicyProperties = v.object({
  Queues: v.array(v.string()),
  PolicyDocument: v.object({ Statement: v.array(Statement) }),
});

/**
 * Creates a check that throws a Problem if a service, such as `events.amazonaws.com`, may not send
 * to a queue. `source` is the ARN of the sender.
 */
export function createQueuePermissionCheck(stack: Stack, service: string) {
  const policies = stack.resources('AWS::SQS::QueuePolicy', PolicyProperties);
  return (queueUrl: string, source: string): void => {
    const statements = policies
      .filter(({ properties: { Queues } }) => Queues.includes(queueUrl))
      .flatMap(({ properties: { PolicyDocument } }) => PolicyDocument.Statement);
    const permitted = statements.some(({ Effect, Action, Principal, Condition }) => {
      const pattern = (Condition?.ArnEquals ?? Condition?.ArnLike)?.['aws:SourceArn'] ?? '*';
      return (
        Effect === 'Allow' &&
        [Action].flat().includes('sqs:SendMessage') &&
        v.is(v.object({ Service: v.literal(service) }), Principal) &&
        toWildcardRegExp(pattern).test(source)
      );
    });
    if (!permitted) throw new Problem(`No policy of ${queueUrl} allows ${source} to send to it.`);
  };
}
