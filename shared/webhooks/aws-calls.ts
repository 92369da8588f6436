import * as v from 'valibot';
import { env } from '../env.ts';
import {
  callOperation,
  type ServiceOperation,
  sendMessageOperation,
} from '../signing/call-operation.ts';
import { ServiceError } from '../signing/send-signed.ts';
import { withRetries } from '../signing/with-retries.ts';

/** Maximum delay of an SQS message in seconds. */
export const maxDelaySeconds = 900;

const getParameterOperation: ServiceOperation = {
  service: 'ssm',
  target: 'AmazonSSM.GetParameter',
  json: '1.1',
};

/**
 * Sends a message to a queue. SQS fair queues prefer message groups with few messages in flight, so
 * one endpoint cannot delay others.
 */
export async function sendMessage(
  QueueUrl: string,
  message: object,
  { delaySeconds = 0, group }: { delaySeconds?: number; group: string },
): Promise<void> {
  const input = {
    QueueUrl,
    MessageBody: JSON.stringify(message),
    DelaySeconds: Math.min(maxDelaySeconds, Math.max(0, delaySeconds)),
    MessageGroupId: group,
  };
  await withRetries(() => callOperation(sendMessageOperation, new URL(env('SQS_URL')), input));
}

const Reply = v.object({ Parameter: v.object({ Value: v.string() }) });

/** Returns a parameter's decrypted value; `undefined` if it does not exist. */
export async function getSecureParameter(Name: string): Promise<string | undefined> {
  const input = { Name, WithDecryption: true };
  const text = await withRetries(() =>
    callOperation(getParameterOperation, new URL(env('SSM_URL')), input).catch((error) => {
      const isMissing = error instanceof ServiceError && error.text.includes('ParameterNotFound');
      if (isMissing) return undefined;
      throw error;
    }),
  );
  return text === undefined ? undefined : v.parse(Reply, JSON.parse(text)).Parameter.Value;
}
