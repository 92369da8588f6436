import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import {
  Effect,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { removalPolicy, type Stage } from '../stages.ts';

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
  /** Longest life of an invocation; `functionTimeoutSeconds` unless given. */
  timeoutSeconds?: number;
  /** With more of it comes more of a processor, which is what start-up takes. */
  memoryMegabytes?: number;
}

/** Longest life of a request's invocation, in seconds: well inside the gateway's 29, well above what an operation needs. */
export const functionTimeoutSeconds = 10;

/** A Lambda function of this service: its bundle, its own log group, and a role that may do just what is stated. */
export class MessagingFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: MessagingFunctionProps) {
    const { stage, path, bundles, environment, statements, description } = props;
    const { timeoutSeconds = functionTimeoutSeconds, memoryMegabytes = 1024 } = props;
    const logGroup = new LogGroup(scope, `${id}Log`, {
      retention: stage.logRetentionDays,
      removalPolicy: removalPolicy(stage),
    });
    const writesItsLog = new PolicyStatement({
      effect: Effect.ALLOW,
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    });
    super(scope, id, {
      description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryMegabytes,
      timeout: Duration.seconds(timeoutSeconds),
      code: Code.fromAsset(join(bundles, path)),
      handler: 'index.handler',
      environment,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: stage.logLevel,
      systemLogLevelV2: SystemLogLevel.WARN,
      role: new Role(scope, `${id}Role`, {
        assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
        inlinePolicies: {
          permissions: new PolicyDocument({ statements: [writesItsLog, ...statements] }),
        },
      }),
    });
  }
}
