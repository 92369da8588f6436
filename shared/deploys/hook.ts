import {
  CodeDeployClient,
  PutLifecycleEventHookExecutionStatusCommand,
} from '@aws-sdk/client-codedeploy';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { env } from '../env.ts';

/** What CodeDeploy tells a hook: which deployment waits for its answer. */
export const HookEvent = v.object({
  DeploymentId: v.string(),
  LifecycleEventHookExecutionId: v.string(),
});
export type HookEvent = v.InferOutput<typeof HookEvent>;

/** These mean that nobody waits for the answer any more, as the deployment was taken back meanwhile. */
const isOver: readonly string[] = [
  'LifecycleEventAlreadyCompletedException',
  'InvalidLifecycleEventHookExecutionIdException',
  'DeploymentDoesNotExistException',
  'DeploymentAlreadyCompletedException',
];

const codeDeploy = new CodeDeployClient();
const queue = new SQSClient();

/** Has the event come again in so many seconds, 900 at most, by the queue QUEUE_URL. */
export const comeAgain = (event: HookEvent, seconds: number) =>
  queue.send(
    new SendMessageCommand({
      QueueUrl: env('QUEUE_URL'),
      MessageBody: JSON.stringify(event),
      DelaySeconds: seconds,
    }),
  );

/** Tells CodeDeploy that the deployment may end well. Says whether it still waited for that. */
export async function answerThatAllIsWell(event: HookEvent): Promise<boolean> {
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
    if (error instanceof Error && isOver.includes(error.name)) return false;
    throw error;
  }
}
