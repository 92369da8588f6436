import * as v from 'valibot';
import { env } from '../env.ts';
import {
  callOperation,
  type ServiceOperation,
  sendMessageOperation,
} from '../signing/call-operation.ts';
import { ServiceError } from '../signing/send-signed.ts';
import { getServiceUrl } from '../signing/service-url.ts';
import { withRetries } from '../signing/with-retries.ts';

export const HookEvent = v.object({
  DeploymentId: v.string(),
  LifecycleEventHookExecutionId: v.string(),
});
export type HookEvent = v.InferOutput<typeof HookEvent>;

const putStatusOperation: ServiceOperation = {
  service: 'codedeploy',
  target: 'CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus',
  json: '1.1',
};

/** Errors that CodeDeploy returns if it no longer waits for the hook. */
const endedDeploymentErrors: readonly string[] = [
  'LifecycleEventAlreadyCompletedException',
  'InvalidLifecycleEventHookExecutionIdException',
  'DeploymentDoesNotExistException',
  'DeploymentAlreadyCompletedException',
];

/** Sends the event to QUEUE_URL. The queue delivers it after `seconds`, which is at most 900. */
export async function requeueEvent(event: HookEvent, seconds: number): Promise<void> {
  const QueueUrl = env('QUEUE_URL');
  const input = { QueueUrl, MessageBody: JSON.stringify(event), DelaySeconds: seconds };
  const url = new URL('/', QueueUrl);
  await withRetries(() => callOperation(sendMessageOperation, url, input));
}

/** Reports success to CodeDeploy. Returns whether the deployment was still waiting for the hook. */
export function reportSuccess(event: HookEvent): Promise<boolean> {
  const input = {
    deploymentId: event.DeploymentId,
    lifecycleEventHookExecutionId: event.LifecycleEventHookExecutionId,
    status: 'Succeeded',
  };
  return withRetries(async () => {
    try {
      await callOperation(putStatusOperation, getServiceUrl('codedeploy'), input);
      return true;
    } catch (error) {
      const text = error instanceof ServiceError ? error.text : '';
      if (endedDeploymentErrors.some((name) => text.includes(name))) return false;
      throw error;
    }
  });
}
