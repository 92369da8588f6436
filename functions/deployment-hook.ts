import * as v from 'valibot';
import { HookEvent, reportSuccess, requeueEvent } from '../shared/deploys/deployment-hook.ts';
import { env } from '../shared/env.ts';
import { log } from '../shared/log/log.ts';

interface QueueEvent {
  Records: readonly { body: string }[];
}

/**
 * Keeps a deployment open for PROVING_SECONDS after new code serves all requests, so that alarms
 * can still roll it back. Meanwhile, CodeDeploy's event waits in the function's queue. The function
 * then reports success to CodeDeploy.
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
