import { clock } from '../clock.ts';
import { postSigned } from './post-signed.ts';

/** An operation of an AWS service that takes JSON, such as `AmazonSQS.SendMessage`. */
export interface ServiceOperation {
  service: string;
  target: string;
  /** Version of the JSON protocol. */
  json: '1.0' | '1.1';
}

/** Sends a message to a queue. */
export const sendMessageOperation: ServiceOperation = {
  service: 'sqs',
  target: 'AmazonSQS.SendMessage',
  json: '1.0',
};

/** Calls the operation once and returns the text of the reply. Throws as `postSigned` does. */
export const callOperation = (
  { service, target, json }: ServiceOperation,
  url: URL,
  input: object,
): Promise<string> =>
  postSigned({
    service,
    url,
    headers: { 'content-type': `application/x-amz-json-${json}`, 'x-amz-target': target },
    body: JSON.stringify(input),
  });

const maxAttempts = 3;
const pauseMilliseconds = 100;

/** Runs a call up to three times until it succeeds. Throws the error of the last attempt. */
export async function withRetries<Result>(call: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt === maxAttempts) throw error;
      await clock.sleep(pauseMilliseconds * 2 ** attempt);
    }
  }
}
