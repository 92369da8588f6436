import {
  type CloudFormationClient,
  paginateDescribeStackEvents,
} from '@aws-sdk/client-cloudformation';

/** Once that the stack was deployed, successfully or not. */
export interface StackUpdate {
  start: Date;
  /** Whether it made the stack, so that there is nothing before it. */
  isFirst: boolean;
  /** What it made, changed or removed, but for the functions' code: type and name. */
  changed: { type: string; id: string }[];
}

const done = /^(CREATE|UPDATE|DELETE)_COMPLETE$/;

/** Going back changes these, or they are nobody's concern. */
const ofTheCode =
  /^AWS::(Lambda::(Function|Version|Alias)|CodeDeploy::.*|CDK::Metadata|CloudFormation::Stack)$/;

/** The stack's deployments, the latest first; CloudFormation remembers 90 days. */
export async function* stackUpdates(
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
      } else if (done.test(status) && !ofTheCode.test(type)) {
        changed.set(id, { type, id });
      }
    }
  }
}
