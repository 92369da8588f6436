import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { Problem, toErrorMessage } from '../../lib/problem.ts';
import { toStackName } from '../../lib/stage-names.ts';
import { getStage } from '../../lib/stages.ts';
import { region } from '../../local-cloud/account.ts';
import { findRunningCloud } from '../../local-cloud/running-cloud.ts';
import { toAwsErrorMessage } from './aws-error-message.ts';
import { requireStageLocation, type StageLocation } from './stage-location.ts';

/** A running stack, deployed or local, and the client settings for its services. */
export interface RunningStage {
  /**
   * Returns the value of a stack output. Throws a Problem if the output does not exist. If an
   * output is missing, the stage lacks the feature, or its deployment is too old.
   */
  output(name: string): string;
  /** Returns the value of a stack output; undefined if this stage has none. */
  findOutput(name: string): string | undefined;
  /** Client settings that override the AWS SDK's defaults; empty for a deployed stage. */
  dynamodb: ServiceConfig;
  sqs: ServiceConfig;
  s3: S3ClientConfig;
  ssm: ServiceConfig;
}

export interface ServiceConfig {
  endpoint?: string;
  region?: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

/** Returns the deployed stage with that name or, without a name, the folder's local cloud. */
export const findRunningStage = (
  name: string | undefined,
  directory: string,
): Promise<RunningStage> =>
  name === undefined ? findLocalStage(directory) : findDeployedStage(name);

/**
 * Finds the deployed stage with the credentials and region of the AWS CLI. Throws a Problem if they
 * do not match the account and region of the stage, or if the stack does not exist.
 */
export async function findDeployedStage(
  name: string,
  location: StageLocation & object = getStage(name),
): Promise<RunningStage> {
  await requireStageLocation(name, location);
  const StackName = toStackName(name);
  const { Stacks: [stack] = [] } = await new CloudFormationClient()
    .send(new DescribeStacksCommand({ StackName }))
    .catch((error) => {
      throw new Problem(
        `Cannot find the stack ${StackName}: ${toAwsErrorMessage(error) ?? toErrorMessage(error)}`,
      );
    });
  const outputs = new Map(
    stack?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
  );
  return { ...createOutputs(outputs, StackName), dynamodb: {}, sqs: {}, s3: {}, ssm: {} };
}

async function findLocalStage(directory: string): Promise<RunningStage> {
  const running = await findRunningCloud(directory);
  if (!running) {
    throw new Problem(
      `No local cloud is running in ${directory}: start one with \`npm start\`, or give --stage NAME for a deployed stage.`,
    );
  }
  return {
    ...createOutputs(new Map(Object.entries(running.outputs)), 'running here'),
    dynamodb: toLocalServiceConfig(running.tableEndpoint),
    sqs: toLocalServiceConfig(running.queueEndpoint),
    s3: running.filesEndpoint
      ? { ...toLocalServiceConfig(running.filesEndpoint), forcePathStyle: true }
      : {},
    ssm: toLocalServiceConfig(running.parameterEndpoint),
  };
}

/** Returns client settings for the local cloud, which accepts any credentials. */
export const toLocalServiceConfig = (endpoint: string): ServiceConfig => ({
  endpoint,
  region,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

const createOutputs = (
  outputs: ReadonlyMap<string | undefined, string | undefined>,
  stackName: string,
) => ({
  output: (name: string): string => {
    const value = outputs.get(name);
    if (value) return value;
    throw new Problem(
      `The stack ${stackName} has no output ${name}: the stage lacks the corresponding feature, or needs a new deployment.`,
    );
  },
  findOutput: (name: string) => outputs.get(name),
});
