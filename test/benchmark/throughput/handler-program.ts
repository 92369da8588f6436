/** Serves the handlers of send, retrieve and list in one process, without the local cloud. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '../../../local-cloud/listen.ts';
import { listMessages, retrieveMessage, sendMessage } from '../../../shared/contract/operations.ts';
import { ann } from '../../support/handlers/callers.ts';
import { setTableVariables } from '../table-variables.ts';

const [tableEndpoint = '', tableName = ''] = process.argv.slice(2);
setTableVariables({ tableEndpoint, tableName });
const { invokeHandler } = await import('../../support/handlers/invoke-handler.ts');
const { logOutput } = await import('../../../shared/log/log.ts');
logOutput.print = () => {};

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  const id = /^\/v1\/messages\/(.+)$/.exec(pathname)?.[1];
  const reply =
    request.method === 'POST'
      ? await invokeHandler(sendMessage, { as: ann, body: await json(request) })
      : id === undefined
        ? await invokeHandler(listMessages, { as: ann, query: Object.fromEntries(searchParams) })
        : await invokeHandler(retrieveMessage, { as: ann, path: { message_id: id } });
  response.writeHead(reply.statusCode, reply.headers).end(reply.body);
});
const { port } = await listen(server, 0);
console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
await once(process.stdin.resume(), 'end');
process.exit();
