import { postSigned } from './send-signed.ts';

/** An operation of an AWS service with a JSON protocol. */
export interface ServiceOperation {
  service: string;
  target: string;
  /** Version of the JSON protocol. */
  json: '1.0' | '1.1';
}

export const sendMessageOperation: ServiceOperation = {
  service: 'sqs',
  target: 'AmazonSQS.SendMessage',
  json: '1.0',
};

/** Calls the operation once. Throws like `postSigned`. */
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
