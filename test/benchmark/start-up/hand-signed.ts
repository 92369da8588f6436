/** Makes the three table calls of a send without the SDK, signed only with node:crypto. */
import { createHash, createHmac } from 'node:crypto';
import { request } from 'node:http';
import { Agent } from 'node:https';

/** Loads TLS, which a request to AWS needs. */
export const agent = new Agent({ keepAlive: true });

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();

function call(operation: string, input: unknown): Promise<string> {
  const { host, port } = new URL(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '');
  const body = JSON.stringify(input);
  const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = [date.slice(0, 8), process.env.AWS_REGION ?? '', 'dynamodb', 'aws4_request'];
  const target = `DynamoDB_20120810.${operation}`;
  const signed = 'host;x-amz-date;x-amz-target';
  const values = `host:${host}\nx-amz-date:${date}\nx-amz-target:${target}\n`;
  const canonical = ['POST', '/', '', values, signed, hash(body)].join('\n');
  const key = scope.reduce(hmac as (key: string | Buffer, text: string) => Buffer, 'AWS4secret');
  const toSign = ['AWS4-HMAC-SHA256', date, scope.join('/'), hash(canonical)].join('\n');
  const signature = createHmac('sha256', key).update(toSign).digest('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=key/${scope.join('/')}, SignedHeaders=${signed}, Signature=${signature}`;
  return new Promise((resolve, reject) => {
    const headers = { host, 'x-amz-date': date, 'x-amz-target': target, authorization };
    const sent = request({ host: '127.0.0.1', port, method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    });
    sent.once('error', reject).end(body);
  });
}

export const handler = async ({ body }: { body: string }) => {
  const { conversation_id, message } = JSON.parse(body);
  const Key = { pk: { S: conversation_id }, sk: { S: 'CONVERSATION' } };
  const { Attributes } = JSON.parse(await call('UpdateItem', { TableName: 'table', Key }));
  await call('UpdateItem', { TableName: 'table', Key: { pk: { S: 'ann' }, sk: { S: 'ann' } } });
  await call('PutItem', { TableName: 'table', Item: { ...Key, message: { S: message } } });
  return { statusCode: 201, body: JSON.stringify(Attributes) };
};
