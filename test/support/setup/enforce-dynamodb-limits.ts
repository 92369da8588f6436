import type { Template } from '../../../lib/synthesis/template.ts';
import { readStack } from '../../../local-cloud/stack/read-stack.ts';
import { createLimitCheck } from '../../../local-cloud/table/limit-check.ts';
import { client } from '../../../shared/table/calls/table-client.ts';
import { createTableReply } from '../table/table-reply.ts';

/** Makes the client reject calls that DynamoDB rejects but DynamoDB Local accepts. */
export function enforceDynamoDbLimits(template: Template): void {
  const refusalOf = createLimitCheck(readStack('local', template));
  const { transport } = client;
  client.transport = async (request, signal) => {
    const [, operation = ''] = (request.headers['x-amz-target'] ?? '').split('.');
    const message = refusalOf(operation, JSON.parse(String(request.body)));
    if (message === undefined) return transport(request, signal);
    return createTableReply(400, { __type: 'ValidationException', message });
  };
}
