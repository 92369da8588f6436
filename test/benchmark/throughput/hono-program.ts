/** Serves the handlers of send, retrieve and list on Hono in one process. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { listen } from '../../../local-cloud/listen.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { listMessages, retrieveMessage, sendMessage } from '../../../shared/contract/operations.ts';
import type { Call } from '../../support/handlers/gateway-event.ts';
import { ann } from '../../support/people/callers.ts';
import { setTableVariables } from '../table-variables.ts';

const [tableEndpoint = '', tableName = ''] = process.argv.slice(2);
setTableVariables({ tableEndpoint, tableName });
const { invokeHandler } = await import('../../support/handlers/invoke-handler.ts');
const { logOutput } = await import('../../../shared/log/log.ts');
logOutput.print = () => {};

const respond = async (operation: Operation, call: Omit<Call, 'as'>): Promise<Response> => {
  const { statusCode, headers, body } = await invokeHandler(operation, { as: ann, ...call });
  return new Response(body, { status: statusCode, headers });
};
const app = new Hono()
  .post('/v1/messages', async (c) => respond(sendMessage, { body: await c.req.json() }))
  .get('/v1/messages', (c) => respond(listMessages, { query: c.req.query() }))
  .get('/v1/messages/:message_id', (c) => respond(retrieveMessage, { path: c.req.param() }));

const { port } = await listen(createServer(getRequestListener(app.fetch)), 0);
console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
await once(process.stdin.resume(), 'end');
process.exit();
