import * as v from 'valibot';
import { HookEvent, reportSuccess, requeueEvent } from '../shared/deploys/deployment-hook.ts';
import { env } from '../shared/env.ts';
import { log } from '../shared/log/log.ts';

interface QueueEvent {
  Records: readonly { body: string }[];
}

/**
 * Reports success to CodeDeploy some minutes after new code serves all requests, so that alarms can
 * still roll the deployment back. CodeDeploy invokes this function, which requeues the event with a
 * delay.
 */
export async function handler(event: HookEvent | QueueEvent): Promise<void> {
  if (!('Records' in event)) {
    await requeueEvent(v.parse(HookEvent, event), Number(env('PROVING_SECONDS')));
    return;
  }
  for (const { body } of event.Records) {
    const hook = v.parse(HookEvent, JSON.parse(body));
    const wasWaiting = await reportSuccess(hook);
    log({ level: 'INFO', operation: 'proving', deployment: hook.DeploymentId, waited: wasWaiting });
  }
}
