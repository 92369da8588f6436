import { describe, expect, test } from '@jest/globals';
import type { Exchange } from '../../../local-cloud/gateway/request/exchange.ts';
import { createRawTerminal, createShortTerminal } from '../../../local-cloud/terminal/terminal.ts';

const plain = (_: unknown, text: string) => text;

/** What a terminal shows; `open` as after the start text. */
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

describe('A request is one short line', () => {
  test('of what was asked, what came of it, what it cost and who asked', () => {
    const lines = shown(({ log, onExchange }) => {
      log(line({ request_id: 'r1', table_calls: 3, read_units: 1.5, write_units: 6 }));
      onExchange(exchange({ query: [['expand[]', 'contact']] }));
    });
    expect(lines).toEqual([
      'GET /v1/messages?expand[]=contact  200  N ms  3 calls, 1.5 read, 6 written  ann',
    ]);
  });

  test('with the word of the error, where no function was asked', () => {
    const reply = { status: 401, headers: [], body: '{"code":"token_invalid","request_id":"r-1"}' };
    const lines = shown(({ onExchange }) => onExchange(exchange({ reply })));
    expect(lines).toEqual(['GET /v1/messages  401  N ms  token_invalid  r-1']);
  });

  test('whatever address is asked for: a long one is cut', () => {
    const path = `/v1/${'x'.repeat(5000)}`;
    const [only = '', ...more] = shown(({ onExchange }) => onExchange(exchange({ path })));
    expect([only.length < 150, more]).toEqual([true, []]);
  });

  test('of a fault with its cause below', () => {
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

describe('Workers', () => {
  const live = line({ operation: 'live', events: 2, table_calls: 4, write_units: 2 });
  const told = 'live: 2 events published  N ms  4 calls, 2 written';
  const asked = 'GET /v1/messages  200  N ms  ann';

  test('tell what they did in a line, and nothing of nothing', () => {
    const lines = shown(({ log, onExchange }) => {
      onExchange(exchange());
      log(live);
      log(line({ operation: 'live', events: 0, table_calls: 1 }));
      log(line({ operation: 'purge', purged: 1, ignored: 3 }));
    });
    expect(lines).toEqual([asked, told, 'purge: 1 conversation purged  N ms']);
  });

  test('are quiet until somebody has asked something, but for faults', () => {
    const fault = line({ operation: 'purge', level: 'ERROR', cause: 'Error: no', item: 'C#1' });
    const lines = shown(({ log, onExchange }) => {
      log(live);
      log(fault);
      onExchange(exchange());
      log(live);
    });
    expect(lines).toEqual(['purge: C#1\n    Error: no', asked, told]);
  });
});

test('The authorizer’s lines are not shown, but a fault of it is', () => {
  const lines = shown(({ log }) => {
    log(line({ operation: 'authorizer' }));
    log(line({ operation: 'authorizer', level: 'ERROR', cause: 'Error: no keys' }));
  });
  expect(lines).toEqual(['authorizer\n    Error: no keys']);
});

test('Before the start text only faults are shown', () => {
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

test('What a function says by console is shown, and what it dies of; control characters are not', () => {
  const said = { timestamp: 'T', level: 'INFO', requestId: 'i', message: 'seen \u001b[2Jit' };
  const lines = shown(({ log }) => {
    log(`[Live1] ${JSON.stringify(said)}`);
    log('[Live1] Runtime.ExitError: Runtime exited\u001b[2J with status 1');
  });
  expect(lines).toEqual([
    'Live1: seen it',
    'Live1: Runtime.ExitError: Runtime exited with status 1',
  ]);
});

test('With --json lines are as Lambda has them', () => {
  const lines: string[] = [];
  const { log, onExchange } = createRawTerminal((text) => lines.push(text));
  log(line({ request_id: 'r1' }));
  onExchange(exchange());
  expect(lines).toEqual([line({ request_id: 'r1' }).replace('[MessagesList1A2B] ', '')]);
});
