import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';

const PutEvents = v.object({
  Entries: v.array(
    v.strictObject({
      EventBusName: v.string(),
      Source: v.literal('messaging-service'),
      DetailType: v.string(),
      Detail: v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown())),
      Time: v.number(),
    }),
  ),
});
type Entry = v.InferOutput<typeof PutEvents>['Entries'][number];

/**
 * Starts a fake EventBridge for the live worker under test. `decide` returns the error code of an
 * entry, or undefined to accept it. If `decide` throws, the whole call fails.
 */
export async function startFakeEventBus() {
  const fake = {
    calls: [] as Entry[][],
    decide: (_entry: Entry): string | undefined => undefined,
    /** Returns the events accepted since the last call. */
    takeAccepted: () => accepted.splice(0),
    stop: () => {
      delete process.env.BUS_NAME;
      server.close();
    },
  };
  const accepted: Record<string, unknown>[] = [];
  const server = createServer(async (request, response) => {
    const { Entries } = v.parse(PutEvents, JSON.parse(await text(request)));
    fake.calls.push(Entries);
    try {
      const results = Entries.map((entry) => {
        const ErrorCode = fake.decide(entry);
        if (!ErrorCode) accepted.push(entry.Detail);
        return ErrorCode ? { ErrorCode, ErrorMessage: 'Failed' } : { EventId: 'any' };
      });
      response.end(JSON.stringify({ FailedEntryCount: 0, Entries: results }));
    } catch {
      response.writeHead(500).end('{"__type":"InternalException"}');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  Object.assign(process.env, { BUS_NAME: 'messaging-test', BUS_URL: `http://127.0.0.1:${port}/` });
  return fake;
}
