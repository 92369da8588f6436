import {
  type CloudFormationClient,
  paginateDescribeStackEvents,
} from '@aws-sdk/client-cloudformation';

/** A deployment of the stack, successful or failed. */
export interface StackUpdate {
  start: Date;
  /** Whether the deployment created the stack. If so, the stack has no earlier state. */
  isFirst: boolean;
  /** Created, changed and deleted resources, except those with a type in `ignoredTypes`. */
  changed: { type: string; id: string }[];
}

const completedStatus = /^(CREATE|UPDATE|DELETE)_COMPLETE$/;

/** Resource types that a rollback reverts, or that are irrelevant to operators. */
const ignoredTypes =
  /^AWS::(Lambda::(Function|Version|Alias)|CodeDeploy::.*|CDK::Metadata|CloudFormation::Stack)$/;

/**
 * Returns the deployments of the stack, latest first. CloudFormation retains events for 90 days.
 */
export async function* readStackUpdates(
  client: CloudFormationClient,
  StackName: string,
): AsyncGenerator<StackUpdate> {
  let changed = new Map<string, { type: string; id: string }>();
  for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName })) {
    for (const event of StackEvents) {
      const { ResourceType: type = '', ResourceStatus: status = '', Timestamp: start } = event;
      const { LogicalResourceId: id = '', PhysicalResourceId, StackId } = event;
      const isStack = type === 'AWS::CloudFormation::Stack' && PhysicalResourceId === StackId;
      if (isStack && start && /^(CREATE|UPDATE)_IN_PROGRESS$/.test(status)) {
        yield { start, isFirst: status.startsWith('CREATE'), changed: [...changed.values()] };
        changed = new Map();
      } else if (completedStatus.test(status) && !ignoredTypes.test(type)) {
        changed.set(id, { type, id });
      }
    }
  }
}
