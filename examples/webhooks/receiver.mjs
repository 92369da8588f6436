import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const verify = (body, headers) => {
  try {
    return webhook.verify(body, headers);
  } catch {}
};
createServer(async (request, response) => {
  const event = verify(await text(request), request.headers);
  if (event) console.log(event.id, event.type, event.version);
  response.writeHead(event ? 204 : 401).end();
}).listen(Number(process.env.PORT), '127.0.0.1');
