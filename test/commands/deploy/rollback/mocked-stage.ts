import {
  CloudFormationClient,
  DescribeStackEventsCommand,
  ListStackResourcesCommand,
  type ResourceStatus,
  type StackEvent,
} from '@aws-sdk/client-cloudformation';
import {
  CodeDeployClient,
  type DeploymentStatus,
  GetDeploymentCommand,
  ListDeploymentsCommand,
  StopDeploymentCommand,
} from '@aws-sdk/client-codedeploy';
import {
  GetAliasCommand,
  LambdaClient,
  ListVersionsByFunctionCommand,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';

const arn = (name: string, qualifier: string | number) =>
  `arn:aws:lambda:eu-central-1:111122223333:function:messaging-prod-${name}:${qualifier}`;
const StackName = 'messaging-prod';
const StackId = 'arn:stack/messaging-prod';

/** Converts a UTC time such as `10:00` to a `Date` on 2026-11-21, the day of all events. */
export const timeAt = (time: string) => new Date(`2026-11-21T${time}:00Z`);

interface StageHistory {
  /** Publication times of each function's versions. */
  functions: Record<string, Record<number, string>>;
  /** Versions to which each `live` alias routes invocations. Default: the newest version. */
  serving?: Record<string, [number] | [main: number, canary: number]>;
  /** The version of each function in the stack. Default: the newest version. */
  stack?: Record<string, number>;
  /** The stack's deployments, latest first, and the resources that they changed. */
  updates?: { start: string; first?: boolean; changed?: [type: string, id: string][] }[];
  /** The gradual deployments in progress, with the statuses that successive polls return. */
  running?: Record<string, DeploymentStatus[]>;
  isGradual?: boolean;
}

export function mockStage(history: StageHistory) {
  const cloudformation = mockStack(history);
  const lambda = mockFunctions(history);
  const codedeploy = mockDeployments(history);
  const moves = () => lambda.commandCalls(UpdateAliasCommand).map(({ args: [{ input }] }) => input);
  const stops = () =>
    codedeploy.commandCalls(StopDeploymentCommand).map(({ args: [{ input }] }) => input);
  return { cloudformation, lambda, codedeploy, moves, stops };
}

const resource = (ResourceType: string, LogicalResourceId: string, PhysicalResourceId: string) => ({
  ResourceType,
  LogicalResourceId,
  PhysicalResourceId,
  ResourceStatus: 'UPDATE_COMPLETE' as const,
  LastUpdatedTimestamp: timeAt('12:00'),
});

const event = (
  Timestamp: Date,
  [ResourceType, LogicalResourceId]: readonly [string, string],
  status: ResourceStatus,
): StackEvent => ({
  StackId,
  EventId: `${Timestamp.toISOString()}${LogicalResourceId}${status}`,
  StackName,
  Timestamp,
  ResourceType,
  LogicalResourceId,
  ResourceStatus: status,
  PhysicalResourceId: ResourceType === 'AWS::CloudFormation::Stack' ? StackId : 'physical',
});

const newestVersion = ({ functions }: StageHistory, name: string) =>
  Math.max(...Object.keys(functions[name] ?? {}).map(Number));

function mockStack(history: StageHistory) {
  const cloudformation = mockClient(CloudFormationClient);
  const { functions, stack = {}, updates = [], isGradual = true } = history;
  cloudformation.on(ListStackResourcesCommand, { StackName }).resolves({
    StackResourceSummaries: Object.keys(functions).flatMap((name) => [
      resource('AWS::Lambda::Function', `${name}0123ABCD`, `messaging-prod-${name}`),
      resource('AWS::Lambda::Alias', `${name}Live4567`, arn(name, 'live')),
      resource(
        'AWS::Lambda::Version',
        `${name}Version89`,
        arn(name, stack[name] ?? newestVersion(history, name)),
      ),
      ...(isGradual
        ? [
            resource('AWS::CodeDeploy::Application', 'App', 'the-app'),
            resource('AWS::CodeDeploy::DeploymentGroup', `Group${name}`, `group-${name}`),
          ]
        : []),
    ]),
  });
  const stackResource = ['AWS::CloudFormation::Stack', StackName] as const;
  cloudformation.on(DescribeStackEventsCommand, { StackName }).resolves({
    StackEvents: updates.flatMap(({ start, first, changed = [] }) => [
      event(timeAt(start), stackResource, first ? 'CREATE_COMPLETE' : 'UPDATE_COMPLETE'),
      event(timeAt(start), ['AWS::Lambda::Function', 'F'], 'UPDATE_COMPLETE'),
      ...changed.map((one) => event(timeAt(start), one, 'UPDATE_COMPLETE')),
      ...changed.map((one) => event(timeAt(start), one, 'UPDATE_IN_PROGRESS')),
      event(timeAt(start), stackResource, first ? 'CREATE_IN_PROGRESS' : 'UPDATE_IN_PROGRESS'),
    ]),
  });
  return cloudformation;
}

function mockFunctions(history: StageHistory) {
  const lambda = mockClient(LambdaClient);
  const { functions, serving = {} } = history;
  for (const [name, versions] of Object.entries(functions)) {
    const FunctionName = `messaging-prod-${name}`;
    const [main, canary] = serving[name] ?? [newestVersion(history, name)];
    lambda.on(GetAliasCommand, { FunctionName, Name: 'live' }).resolves({
      FunctionVersion: String(main),
      ...(canary !== undefined && {
        RoutingConfig: { AdditionalVersionWeights: { [canary]: 0.1 } },
      }),
    });
    lambda.on(ListVersionsByFunctionCommand, { FunctionName }).resolves({
      Versions: [
        { Version: '$LATEST', LastModified: '2026-11-21T11:59:59.000+0000' },
        ...Object.entries(versions).map(([Version, time]) => ({
          Version,
          LastModified: `2026-11-21T${time}:30.000+0000`,
        })),
      ],
    });
  }
  lambda.on(UpdateAliasCommand).resolves({});
  return lambda;
}

function mockDeployments({ functions, running = {} }: StageHistory) {
  const codedeploy = mockClient(CodeDeployClient);
  codedeploy.on(ListDeploymentsCommand).resolves({ deployments: [] });
  codedeploy
    .on(ListDeploymentsCommand, {
      deploymentGroupName: `group-${Object.keys(functions)[0]}`,
      applicationName: 'the-app',
    })
    .resolves({ deployments: Object.keys(running) });
  codedeploy.on(StopDeploymentCommand).resolves({ status: 'Pending' });
  for (const [deploymentId, statuses] of Object.entries(running)) {
    const last = statuses.at(-1);
    const stub = codedeploy.on(GetDeploymentCommand, { deploymentId });
    for (const status of statuses) stub.resolvesOnce({ deploymentInfo: { status } });
    if (last) stub.resolves({ deploymentInfo: { status: last } });
  }
  return codedeploy;
}

/** Returns the `UpdateAlias` input that routes all requests of a function to one version. */
export const aliasUpdate = (name: string, version: number) => ({
  FunctionName: `messaging-prod-${name}`,
  Name: 'live',
  FunctionVersion: String(version),
  RoutingConfig: { AdditionalVersionWeights: {} },
});
