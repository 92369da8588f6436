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
import type { Construct } from 'constructs';
import { functionLimits } from '../../shared/function-limits.ts';
import type { Stage } from '../stages.ts';
import { StageLog } from './stage-log.ts';

export interface MessagingFunctionProps {
  stage: Stage;
  /** The handler's file below functions/, without `.ts`. */
  path: string;
  /** The folder that bundleFunctions made. */
  bundles: string;
  environment: Record<string, string>;
  /** What the function may do besides writing its own log. */
  statements: PolicyStatement[];
  description: string;
  /** Longest life of an invocation; like the memory, that of a function which serves requests unless given. */
  timeoutSeconds?: number;
  memoryMegabytes?: number;
}

/** What is called of each function: its version that serves, or two of them while new code is let in. */
export const liveAlias = 'live';

/** Where the metrics of the functions' log lines are: stages do not share them. */
export const metricsNamespace = (scope: Construct): string => Stack.of(scope).stackName;

/** X-Ray knows no resources: whoever may send traces at all may send any. */
const sendsItsTraces = new PolicyStatement({
  effect: Effect.ALLOW,
  actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
  resources: ['*'],
});

/** A Lambda function of this service: its bundle, its own log group, and a role that may do just what is stated. */
export class MessagingFunction extends LambdaFunction {
  /** What is called: the version that serves, by an alias that moves on to the next. */
  readonly live: IFunction;
  readonly alias: Alias;
  /** The handler's file below functions/, without `.ts`. */
  readonly path: string;

  constructor(scope: Construct, id: string, props: MessagingFunctionProps) {
    const { stage, path, bundles, environment, statements, description } = props;
    const { timeoutSeconds, memoryMegabytes } = { ...functionLimits.request, ...props };
    const logGroup = new StageLog(scope, `${id}Log`, stage);
    const writesItsLog = new PolicyStatement({
      effect: Effect.ALLOW,
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    });
    const role = new Role(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        permissions: new PolicyDocument({
          statements: [writesItsLog, sendsItsTraces, ...statements],
        }),
      },
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray knows no resources: to send traces is granted on all or not at all.',
    });
    super(scope, id, {
      description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryMegabytes,
      timeout: Duration.seconds(timeoutSeconds),
      code: Code.fromAsset(join(bundles, path)),
      handler: 'index.handler',
      environment: { METRICS_NAMESPACE: metricsNamespace(scope), ...environment },
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel[stage.logLevel],
      systemLogLevelV2: SystemLogLevel.WARN,
      // By Lambda itself: nothing of it is in the bundle.
      tracing: Tracing.ACTIVE,
      // `npm run rollback` leads back to them. Those of a deployment that failed go again: what is kept has served.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
      // All that a function may do is stated above. What CDK would add by itself, as for tracing, is not added.
      role: role.withoutPolicyUpdates(),
    });
    this.path = path;
    // CDK's classes were not declared with exactOptionalPropertyTypes in mind: they miss their own interfaces by it.
    const version = this.currentVersion as IVersion;
    this.alias = new Alias(this, 'Live', { aliasName: liveAlias, version });
    this.live = this.alias as IFunction;
    Validations.of(this).acknowledge({
      id: 'CT.LAMBDA.PR.3',
      reason:
        'It reaches nothing but AWS’s own services and the issuer’s keys, by TLS and its role: a network of our own would have nothing in it to protect.',
    });
  }
}
