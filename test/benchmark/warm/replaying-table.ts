import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { listen } from '../../../local-cloud/listen.ts';

export interface TableCall {
  operation: string;
  input: unknown;
}

interface RecordedCall extends TableCall {
  key: string;
  status: number;
  reply: string;
}

const Input = v.pipe(v.string(), v.parseJson(), v.looseObject({}));

/** Starts a table that forwards and records calls, or replays recorded replies immediately. */
export async function startReplayingTable(endpoint: string) {
  let recorded: RecordedCall[] = [];
  let replayed: TableCall[] | undefined;

  const forward = async (operation: string, body: string, headers: Record<string, string>) => {
    const response = await fetch(endpoint, { method: 'POST', headers, body });
    const reply = await response.text();
    const input = v.parse(Input, body);
    const call = { operation, input, key: toKey(operation, input), status: response.status, reply };
    recorded.push(call);
    return call;
  };
  const replay = (calls: TableCall[], operation: string, body: string) => {
    const input = v.parse(Input, body);
    calls.push({ operation, input });
    const key = toKey(operation, input);
    const found =
      recorded.find((one) => one.key === key) ??
      recorded.find((one) => one.operation === operation);
    return found ?? { status: 500, reply: '{}' };
  };

  const server = createServer(async (request, response) => {
    const body = await text(request);
    const target = String(request.headers['x-amz-target']);
    const [, operation = ''] = target.split('.');
    const { authorization = '', 'x-amz-date': date } = request.headers;
    const headers = {
      ...{ authorization, 'x-amz-target': target, 'x-amz-date': String(date) },
      'content-type': 'application/x-amz-json-1.0',
    };
    const { status, reply } = replayed
      ? replay(replayed, operation, body)
      : await forward(operation, body, headers);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(reply);
  });
  const { port, close } = await listen(server, 0);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    close,
    record: () => {
      recorded = [];
      replayed = undefined;
    },
    /** Replays recorded replies from now on. Appends each further call to the returned list. */
    replay: (): TableCall[] => {
      replayed = [];
      return replayed;
    },
  };
}

/**
 * Returns the same key for all calls on the same items. Ignores conditions, because they contain
 * the time.
 */
const toKey = (
  operation: string,
  { Key, RequestItems, KeyConditionExpression }: v.InferOutput<typeof Input>,
) => JSON.stringify([operation, Key, RequestItems, KeyConditionExpression]);
