import { describe, expect, test } from '@jest/globals';
import type { Exchange } from '../../../local-cloud/gateway/request/exchange.ts';
import { createRawTerminal, createShortTerminal } from '../../../local-cloud/terminal/terminal.ts';

const plain = (_: unknown, text: string) => text;

/** Returns the terminal's output. If `open` is false, the start text has not been printed yet. */
function shown(
  act: (terminal: ReturnType<typeof createShortTerminal>) => void,
  { open = true } = {},
) {
  const lines: string[] = [];
  const terminal = createShortTerminal(
    (text) => lines.push(text.replace(/\b\d+ ms/, 'N ms')),
    plain,
  );
  if (open) terminal.open();
  act(terminal);
  return lines;
}

const exchange = (more: Partial<Exchange['request']> & { reply?: Exchange['reply'] } = {}) => {
  const { reply = { status: 200, headers: [], body: '{}' }, ...request } = more;
  return {
    request: {
      id: 'r1',
      receivedAt: new Date(),
      method: 'GET',
      path: '/v1/messages',
      query: [],
      headers: [['Authorization', 'Bearer a.token']],
      headBytes: 100,
      body: Buffer.from(''),
      sourceIp: '127.0.0.1',
      ...request,
    },
    reply,
    caller: reply.status === 401 ? undefined : 'ann',
  } satisfies Exchange;
};

const line = (facts: object) =>
  `[MessagesList1A2B] ${JSON.stringify({ timestamp: 'T', level: 'INFO', operation: 'messages/list', milliseconds: 3, ...facts })}`;

describe('A request is printed as one short line', () => {
  test('with method, path, status, cost and caller', () => {
    const lines = shown(({ log, onExchange }) => {
      log(line({ request_id: 'r1', table_calls: 3, read_units: 1.5, write_units: 6 }));
      onExchange(exchange({ query: [['expand[]', 'contact']] }));
    });
    expect(lines).toEqual([
      'GET /v1/messages?expand[]=contact  200  N ms  3 calls, 1.5 read, 6 written  ann',
    ]);
  });

  test('with the error code and the request id if the gateway refuses it', () => {
    const reply = { status: 401, headers: [], body: '{"code":"token_invalid","request_id":"r-1"}' };
    const lines = shown(({ onExchange }) => onExchange(exchange({ reply })));
    expect(lines).toEqual(['GET /v1/messages  401  N ms  token_invalid  r-1']);
  });

  test('with a truncated path if the path is long', () => {
    const path = `/v1/${'x'.repeat(5000)}`;
    const [only = '', ...more] = shown(({ onExchange }) => onExchange(exchange({ path })));
    expect([only.length < 150, more]).toEqual([true, []]);
  });

  test('with the cause of a fault on the next line', () => {
    const reply = {
      status: 500,
      headers: [],
      body: '{"code":"internal_error","request_id":"r-1"}',
    };
    const cause = 'TypeError: Cannot read\n    at x (/no/such/index.js:1:2)';
    const lines = shown(({ log, onExchange }) => {
      log(line({ level: 'ERROR', request_id: 'r1', cause }));
      onExchange(exchange({ reply }));
    });
    expect(lines).toEqual([
      'GET /v1/messages  500  N ms  internal_error  r-1  ann\n    TypeError: Cannot read',
    ]);
  });
});

describe('For workers, the terminal', () => {
  const live = line({ operation: 'live', events: 2, table_calls: 4, write_units: 2 });
  const eventLine = 'live: 2 events published  N ms  4 calls, 2 written';
  const requestLine = 'GET /v1/messages  200  N ms  ann';

  test('prints one line per batch, and none for an empty batch', () => {
    const lines = shown(({ log, onExchange }) => {
      onExchange(exchange());
      log(live);
      log(line({ operation: 'live', events: 0, table_calls: 1 }));
      log(line({ operation: 'purge', purged: 1, ignored: 3 }));
      log(line({ operation: 'webhooks', delivered: 1, failed_attempts: 2 }));
    });
    expect(lines).toEqual([
      requestLine,
      eventLine,
      'purge: 1 conversation purged  N ms',
      'webhooks: 1 event delivered, 2 attempts failed  N ms',
    ]);
  });

  test('prints only faults before the first request', () => {
    const fault = line({ operation: 'purge', level: 'ERROR', cause: 'Error: no', item: 'C#1' });
    const lines = shown(({ log, onExchange }) => {
      log(live);
      log(fault);
      onExchange(exchange());
      log(live);
    });
    expect(lines).toEqual(['purge: C#1\n    Error: no', requestLine, eventLine]);
  });
});

test('The authorizer’s log lines are omitted, except for faults', () => {
  const lines = shown(({ log }) => {
    log(line({ operation: 'authorizer' }));
    log(line({ operation: 'authorizer', level: 'ERROR', cause: 'Error: no keys' }));
  });
  expect(lines).toEqual(['authorizer\n    Error: no keys']);
});

test('Before the start text, the terminal prints only faults', () => {
  const reply = { status: 500, headers: [], body: '' };
  const lines = shown(
    ({ onExchange }) => {
      onExchange(exchange());
      onExchange(exchange({ reply }));
    },
    { open: false },
  );
  expect(lines).toEqual(['GET /v1/messages  500  N ms  ann']);
});

test('Console output and fatal errors of a function are printed without control characters', () => {
  const entry = { timestamp: 'T', level: 'INFO', requestId: 'i', message: 'seen \u001b[2Jit' };
  const error = { errorType: 'TypeError', errorMessage: 'no\u001b[2Jthing', stackTrace: [] };
  const lines = shown(({ log }) => {
    log(`[Live1] ${JSON.stringify(entry)}`);
    log('[Live1] Runtime.ExitError: Runtime exited\u001b[2J with status 1');
    log(`[Live1] ${JSON.stringify({ ...entry, level: 'ERROR', message: error })}`);
  });
  expect(lines).toEqual([
    'Live1: seen it',
    'Live1: Runtime.ExitError: Runtime exited with status 1',
    'Live1: TypeError: nothing',
  ]);
});

test('With --json, the terminal prints only log lines to standard output, in Lambda’s format', () => {
  const lines: string[] = [];
  const messages: string[] = [];
  const { log, onExchange } = createRawTerminal(
    (text) => lines.push(text),
    (text) => messages.push(text),
  );
  log(line({ request_id: 'r1' }));
  log('A scheduled invocation failed: Task timed out after 30.00 seconds');
  onExchange(exchange());
  expect(lines).toEqual([line({ request_id: 'r1' }).replace('[MessagesList1A2B] ', '')]);
  expect(messages).toEqual(['A scheduled invocation failed: Task timed out after 30.00 seconds']);
});
