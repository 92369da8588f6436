import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { messageOf, Problem } from '../../lib/problem.ts';
import { stackNameOf } from '../../lib/stage-names.ts';
import { getStage } from '../../lib/stages.ts';
import { region } from '../../local-cloud/account.ts';
import { runningCloud } from '../../local-cloud/running-cloud.ts';
import { awsComplaint } from './aws-complaint.ts';
import { type Place, requireStageLocation } from './place.ts';

/** A stack that runs, deployed or on this machine, and how its services are reached. */
export interface RunningStage {
  /** The value of an output of the stack. Throws a Problem when the stack is too old to have it. */
  output(name: string): string;
  /** The same of an output that only some stages have: undefined in one that has it not. */
  outputIfAny(name: string): string | undefined;
  /** What the clients of the services need to know beyond what the AWS CLI would. */
  dynamodb: ServiceConfig;
  sqs: ServiceConfig;
}

export interface ServiceConfig {
  endpoint?: string;
  region?: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

/** The deployed stage of that name; without a name, the local cloud that runs on the folder. */
export const runningStage = (name: string | undefined, directory: string): Promise<RunningStage> =>
  name === undefined ? localStage(directory) : deployedStage(name);

/**
 * Found and reached with the credentials and the region that the AWS CLI would use. Throws a Problem when these are not of
 * the account and the region that the stage names.
 */
export async function deployedStage(
  name: string,
  place: Place & object = getStage(name),
): Promise<RunningStage> {
  await requireStageLocation(name, place);
  const StackName = stackNameOf(name);
  const { Stacks: [stack] = [] } = await new CloudFormationClient()
    .send(new DescribeStacksCommand({ StackName }))
    .catch((error) => {
      throw new Problem(
        `The stack ${StackName} cannot be found: ${awsComplaint(error) ?? messageOf(error)}`,
      );
    });
  const outputs = new Map(
    stack?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
  );
  return { ...outputsIn(outputs, StackName), dynamodb: {}, sqs: {} };
}

async function localStage(directory: string): Promise<RunningStage> {
  const running = await runningCloud(directory);
  if (!running) {
    throw new Problem(
      `No local cloud is running on ${directory}: \`npm start\` starts one. For a deployed stage give --stage NAME.`,
    );
  }
  return {
    ...outputsIn(new Map(Object.entries(running.outputs)), 'running here'),
    dynamodb: localService(running.tableEndpoint),
    sqs: localService(running.queueEndpoint),
  };
}

/** A service of the local cloud, which lets everybody in. */
export const localService = (endpoint: string): ServiceConfig => ({
  endpoint,
  region,
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

const outputsIn = (
  outputs: ReadonlyMap<string | undefined, string | undefined>,
  stackName: string,
) => ({
  output: (name: string): string => {
    const value = outputs.get(name);
    if (value) return value;
    throw new Problem(`The stack ${stackName} has no output ${name}: deploy it again.`);
  },
  outputIfAny: (name: string) => outputs.get(name),
});
