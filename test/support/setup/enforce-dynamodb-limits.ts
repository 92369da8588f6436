import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import type { Template } from '../../../lib/synthesis/template.ts';
import { readStack } from '../../../local-cloud/stack/read-stack.ts';
import { createLimitCheck } from '../../../local-cloud/table/limit-check.ts';
import { client } from '../../../shared/table/calls/client.ts';

const Sent = v.object({
  headers: v.looseObject({ 'x-amz-target': v.string() }),
  body: v.unknown(),
});

/** Makes the client reject calls that DynamoDB rejects and DynamoDB Local accepts. */
export function enforceDynamoDbLimits(template: Template): void {
  const refusalOf = createLimitCheck(readStack('local', template));
  client.middlewareStack.add(
    (next) => async (args) => {
      const { headers, body } = v.parse(Sent, args.request);
      const [, operation = ''] = headers['x-amz-target'].split('.');
      const message = refusalOf(operation, JSON.parse(String(body)));
      if (message) throw refused(message);
      return next(args);
    },
    { step: 'build', name: 'refuseAsDynamoDb', override: true },
  );
}

const refused = (message: string) =>
  new DynamoDBServiceException({
    name: 'ValidationException',
    message,
    $fault: 'client',
    $metadata: { httpStatusCode: 400 },
  });
