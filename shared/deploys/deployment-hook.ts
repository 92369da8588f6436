import {
  CodeDeployClient,
  PutLifecycleEventHookExecutionStatusCommand,
} from '@aws-sdk/client-codedeploy';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { env } from '../env.ts';

export const HookEvent = v.object({
  DeploymentId: v.string(),
  LifecycleEventHookExecutionId: v.string(),
});
export type HookEvent = v.InferOutput<typeof HookEvent>;

/** Errors that mean CodeDeploy no longer waits, because the deployment was rolled back. */
const endedDeploymentErrors: readonly string[] = [
  'LifecycleEventAlreadyCompletedException',
  'InvalidLifecycleEventHookExecutionIdException',
  'DeploymentDoesNotExistException',
  'DeploymentAlreadyCompletedException',
];

const codeDeploy = new CodeDeployClient();
const queue = new SQSClient();

/** Sends the event again after the given seconds (at most 900) through the queue QUEUE_URL. */
export const requeueEvent = (event: HookEvent, seconds: number) =>
  queue.send(
    new SendMessageCommand({
      QueueUrl: env('QUEUE_URL'),
      MessageBody: JSON.stringify(event),
      DelaySeconds: seconds,
    }),
  );

/** Reports success to CodeDeploy. Returns whether the deployment still waited for the hook. */
export async function reportSuccess(event: HookEvent): Promise<boolean> {
  try {
    await codeDeploy.send(
      new PutLifecycleEventHookExecutionStatusCommand({
        deploymentId: event.DeploymentId,
        lifecycleEventHookExecutionId: event.LifecycleEventHookExecutionId,
        status: 'Succeeded',
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof Error && endedDeploymentErrors.includes(error.name)) return false;
    throw error;
  }
}
