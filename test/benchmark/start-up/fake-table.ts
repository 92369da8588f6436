import { createServer } from 'node:http';
import { listen } from '../../../local-cloud/listen.ts';

const conversation = {
  ...{ pk: { S: 'CONVERSATION#x' }, sk: { S: 'CONVERSATION' }, id: { S: 'x' } },
  ...{ created_by: { S: 'ann' }, contact_id: { S: 'bob' }, activity: { S: 'x' } },
  ...{ created_at: { N: '1700000000000' }, last_message_at: { N: '1700000000000' } },
  ...{ message_count: { N: '3' }, last_active_at: { N: '1700000000000' }, username: { S: 'Ann' } },
  ...{ phone_number: { NULL: true }, avatar_url: { NULL: true } },
};

/**
 * Starts a server that acts as the table and the token issuer. The server returns the same item for
 * each update, and the key set for each GET request.
 */
export async function startFakeTable(keySet: unknown) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const isUpdate = String(request.headers['x-amz-target']).endsWith('UpdateItem');
      const usage = { ConsumedCapacity: { TableName: 'table', CapacityUnits: 1 } };
      const reply = isUpdate ? { Attributes: conversation, ...usage } : usage;
      response.end(JSON.stringify(request.method === 'GET' ? keySet : reply));
    });
  });
  const { port, close } = await listen(server, 0);
  return { endpoint: `http://127.0.0.1:${port}`, close };
}
