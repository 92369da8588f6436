import { join } from 'node:path';
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  Effect,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  ApplicationLogLevel,
  Architecture,
  Code,
  type IFunction,
  type IVersion,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { functionLimits } from '../../shared/function-limits.ts';
import type { Stage } from '../stages.ts';
import type { IsolatedNetwork } from './isolated-network.ts';
import { StageLog } from './stage-log.ts';

export interface MessagingFunctionProps {
  stage: Stage;
  /** Handler file below functions/, without `.ts`. */
  path: string;
  /** Folder returned by bundleFunctions. */
  bundles: string;
  environment: Record<string, string>;
  /** Permissions in addition to those for writing logs and traces. */
  statements: PolicyStatement[];
  description: string;
  /** Timeout and memory default to those of functions that serve requests. */
  timeoutSeconds?: number;
  memoryMegabytes?: number;
  /** Queue for events whose asynchronous invocation still failed after two retries. */
  failures?: IQueue;
  /** Network that isolates the function. By default, the function can reach the internet. */
  network?: IsolatedNetwork | undefined;
  /**
   * Reserved concurrency, which is also the function's maximum concurrency. By default, no
   * concurrency is reserved.
   */
  reservedConcurrency?: number | undefined;
}

/**
 * Alias that callers use. The alias points to one version, or to two during a gradual deployment.
 */
export const liveAliasName = 'live';

/** Returns the stage's CloudWatch namespace for the metrics in log lines. */
export const metricsNamespace = (scope: Construct): string => Stack.of(scope).stackName;

/** Lets a function send traces. X-Ray has no resource-level permissions for these actions. */
const traceStatement = new PolicyStatement({
  effect: Effect.ALLOW,
  actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
  resources: ['*'],
});

/**
 * Lets Lambda attach a function to a VPC. Allows the same EC2 actions as the AWS managed policy
 * AWSLambdaVPCAccessExecutionRole.
 */
const networkStatement = new PolicyStatement({
  actions: [
    'AssignPrivateIpAddresses',
    'CreateNetworkInterface',
    'DeleteNetworkInterface',
    'DescribeNetworkInterfaces',
    'DescribeSubnets',
    'UnassignPrivateIpAddresses',
  ].map((action) => `ec2:${action}`),
  resources: ['*'],
});

/**
 * Lambda function of this service, with its bundle, log group and role. The role grants
 * `statements` and permission to write logs and traces.
 */
export class MessagingFunction extends LambdaFunction {
  readonly live: IFunction;
  readonly alias: Alias;
  readonly path: string;

  constructor(scope: Construct, id: string, props: MessagingFunctionProps) {
    const { stage, path, bundles, environment, statements, description } = props;
    const { reservedConcurrency, failures, network } = props;
    const { timeoutSeconds, memoryMegabytes } = { ...functionLimits.request, ...props };
    const logGroup = new StageLog(scope, `${id}Log`, stage);
    const role = createRole(scope, `${id}Role`, [
      createLogStatement(logGroup.logGroupArn),
      traceStatement,
      ...(network ? [networkStatement] : []),
      ...statements,
    ]);
    super(scope, id, {
      description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryMegabytes,
      timeout: Duration.seconds(timeoutSeconds),
      ...(failures && { deadLetterQueue: failures }),
      ...(reservedConcurrency && { reservedConcurrentExecutions: reservedConcurrency }),
      code: Code.fromAsset(join(bundles, path)),
      handler: 'index.handler',
      environment: { METRICS_NAMESPACE: metricsNamespace(scope), ...environment },
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel[stage.logLevel],
      systemLogLevelV2: SystemLogLevel.WARN,
      // Lambda's tracing adds no code to the bundle.
      tracing: Tracing.ACTIVE,
      // Retains versions for `npm run rollback`. CloudFormation removes the versions of a failed
      // deployment.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
      // The statements above are complete, so CDK must not add others, such as those for tracing.
      role: role.withoutPolicyUpdates(),
    });
    this.path = path;
    // CDK's classes do not match their own interfaces under exactOptionalPropertyTypes.
    const version = this.currentVersion as IVersion;
    this.alias = new Alias(this, 'Live', { aliasName: liveAliasName, version });
    this.live = this.alias as IFunction;
    if (network) {
      network.attach(this);
      return;
    }
    Validations.of(this).acknowledge({
      id: 'CT.LAMBDA.PR.3',
      reason:
        'The function calls only public endpoints, over TLS, so a VPC would add no protection.',
    });
  }

  /** Values of `operation` in the function's metrics. */
  get loggedOperations(): readonly string[] {
    return [this.path];
  }
}

const createLogStatement = (logGroupArn: string) =>
  new PolicyStatement({
    effect: Effect.ALLOW,
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroupArn],
  });

function createRole(scope: Construct, id: string, statements: PolicyStatement[]): Role {
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { permissions: new PolicyDocument({ statements }) },
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'X-Ray has no resource-level permissions for sending traces.',
  });
  return role;
}
