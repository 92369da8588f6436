import * as v from 'valibot';
import { answerThatAllIsWell, comeAgain, HookEvent } from '../shared/deploys/hook.ts';
import { env } from '../shared/env.ts';
import { log } from '../shared/log/log.ts';

/** What CodeDeploy has told, as the queue gives it back. */
interface Queued {
  Records: readonly { body: string }[];
}

/**
 * Called by CodeDeploy when all calls go to new code: says only some minutes later that the deployment may end, so that
 * the alarms can still take it back. The waiting is the queue's: nothing runs meanwhile.
 */
export async function handler(event: HookEvent | Queued): Promise<void> {
  if (!('Records' in event)) {
    await comeAgain(v.parse(HookEvent, event), Number(env('PROVING_SECONDS')));
    return;
  }
  for (const { body } of event.Records) {
    const hook = v.parse(HookEvent, JSON.parse(body));
    const waited = await answerThatAllIsWell(hook);
    log({ level: 'INFO', operation: 'proving', deployment: hook.DeploymentId, waited });
  }
}
