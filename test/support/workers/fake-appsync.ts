import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';

const Publication = v.object({ channel: v.string(), events: v.array(v.string()) });

/** Starts a fake AppSync API that accepts all events from the live worker under test. */
export async function startFakeAppSync() {
  let received: v.InferOutput<typeof Publication>[] = [];
  const server = createServer(async (request, response) => {
    received.push(v.parse(Publication, JSON.parse(await text(request))));
    response.end('{"successful":[],"failed":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  process.env.PUSH_URL = `http://127.0.0.1:${port}/event`;
  return {
    /**
     * Returns the number of publish requests since the last call. Requests that publish the same
     * events on two hourly channels of one feed count as one.
     */
    publications: () => {
      const feedAndEvents = received.map(({ channel, events }) => [channel.split('/')[2], events]);
      received = [];
      return new Set(feedAndEvents.map((one) => JSON.stringify(one))).size;
    },
    /** Returns the number of feeds published to since the last call to `publications`. */
    feedCount: () => new Set(received.map(({ channel }) => channel.split('/')[2])).size,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
