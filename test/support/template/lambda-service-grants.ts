import * as v from 'valibot';
import { parseFunctionName } from '../../../local-cloud/account.ts';
import type { Stack } from '../../../local-cloud/stack/read-stack.ts';

const FunctionProperties = v.looseObject({
  LoggingConfig: v.looseObject({ LogGroup: v.string() }),
  DeadLetterConfig: v.optional(v.looseObject({ TargetArn: v.string() })),
  TracingConfig: v.optional(v.looseObject({ Mode: v.string() })),
  VpcConfig: v.optional(v.unknown()),
});
const MappingProperties = v.looseObject({
  EventSourceArn: v.string(),
  FunctionName: v.string(),
  DestinationConfig: v.optional(
    v.looseObject({ OnFailure: v.looseObject({ Destination: v.string() }) }),
  ),
});
const AnyProperties = v.looseObject({});

/** Actions that Lambda calls to attach functions to a VPC. */
const interfaceActions = [
  ...['AssignPrivateIpAddresses', 'CreateNetworkInterface', 'DeleteNetworkInterface'],
  ...['DescribeNetworkInterfaces', 'DescribeSubnets', 'UnassignPrivateIpAddresses'],
];

/**
 * Returns the permissions that the Lambda service needs, keyed by the function's logical id and
 * formatted as `action on resource`. The project's code does not use these permissions.
 */
export function getLambdaServiceGrants(stack: Stack): Map<string, string[]> {
  const logs = stack.resources('AWS::Logs::LogGroup', AnyProperties);
  const mappings = stack.resources('AWS::Lambda::EventSourceMapping', MappingProperties);
  return new Map(
    stack.resources('AWS::Lambda::Function', FunctionProperties).map(({ id, ref, properties }) => {
      const { LoggingConfig, TracingConfig, DeadLetterConfig, VpcConfig } = properties;
      const log = logs.find((one) => one.ref === LoggingConfig.LogGroup);
      const own = mappings.filter((one) => parseFunctionName(one.properties.FunctionName) === ref);
      return [
        id,
        [
          ...toGrants(log?.attributes.Arn, 'logs:CreateLogStream', 'logs:PutLogEvents'),
          // These X-Ray actions do not support resource-level permissions.
          ...(TracingConfig?.Mode === 'Active'
            ? toGrants('*', 'xray:PutTelemetryRecords', 'xray:PutTraceSegments')
            : []),
          ...(VpcConfig
            ? interfaceActions.flatMap((action) => toGrants('*', `ec2:${action}`))
            : []),
          ...(DeadLetterConfig ? toGrants(DeadLetterConfig.TargetArn, 'sqs:SendMessage') : []),
          ...own.flatMap(({ properties: { EventSourceArn, DestinationConfig } }) =>
            EventSourceArn.includes(':sqs:')
              ? [
                  ...toGrants(EventSourceArn, 'sqs:ReceiveMessage', 'sqs:DeleteMessage'),
                  ...toGrants(EventSourceArn, 'sqs:GetQueueAttributes'),
                ]
              : [
                  ...toGrants(EventSourceArn, 'dynamodb:DescribeStream', 'dynamodb:GetRecords'),
                  ...toGrants(EventSourceArn, 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'),
                  ...toGrants(DestinationConfig?.OnFailure.Destination, 'sqs:SendMessage'),
                ],
          ),
        ].sort(),
      ];
    }),
  );
}

const toGrants = (resource: string | undefined, ...actions: string[]) =>
  actions.map((action) => `${action} on ${resource}`);
