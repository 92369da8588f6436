import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import {
  type CurlRequest,
  toCurlCommand,
  toVariableAssignments,
  toVariableName,
} from '../../../../playground/src/network/curl-command.ts';
import fc from '../../../support/setup/fast-check.ts';

/** Returns the arguments that the shell passes to curl. */
const readArguments = (command: string): string[] => {
  const script = `API=http://here; ANN=secret; curl() { printf '%s\\0' "$@"; }\n${command}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
};

const request: CurlRequest = {
  method: 'GET',
  path: '/v1/live',
  variable: 'ANN',
  headers: {},
  body: undefined,
};

test('The curl command repeats the request and reads the token from a variable', () => {
  const path = '/v1/conversations?expand[]=contact&exclude%5B%5D=archived';
  expect(readArguments(toCurlCommand({ ...request, path }))).toEqual([
    '-g',
    `http://here${path}`,
    '-H',
    'Authorization: Bearer secret',
  ]);
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ message: 'It’s for "$HOME" `now` \\ \'and\' !\n' });
  const end = ['-H', 'Content-Type: application/json', '--data-raw', body];
  expect(
    readArguments(toCurlCommand({ ...request, method: 'POST', headers, body })).slice(4),
  ).toEqual(end);
  const put = readArguments(toCurlCommand({ ...request, method: 'PUT', headers, body }));
  expect([put.slice(0, 3), put.slice(6)]).toEqual([['-g', '-X', 'PUT'], end]);
});

test('The shell passes any body to curl unchanged, and executes none of it', () => {
  const text = fc.array(
    fc.oneof(
      fc.string(),
      fc.constantFrom("'", '"', '$(exit 1)', '`', '\\', '\n', '!', '$ANN', '{a,b}', '*'),
    ),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(text, (parts) => {
      const body = JSON.stringify({ message: parts.join('') });
      expect(readArguments(toCurlCommand({ ...request, method: 'POST', body })).at(-1)).toBe(body);
    }),
    { numRuns: 50 },
  );
});

test('Every contact id becomes a valid variable name', () => {
  expect(['ann', 'ann@home', '42', '-'].map(toVariableName)).toEqual([
    'ANN',
    'ANN_HOME',
    'P_42',
    '_',
  ]);
});

test('toVariableAssignments returns commands that set the API’s address and a token per user', () => {
  const people = [
    { name: 'ANN', contactId: 'ann', username: 'Ann O’Hara', groups: ['team', 'friends'] },
    { name: 'BOB', contactId: 'bob', username: 'Bob', groups: [] },
  ];
  expect(toVariableAssignments('http://127.0.0.1:3000', people)).toBe(
    [
      'API=http://127.0.0.1:3000',
      "ANN=$(npm run -s token -- ann --username 'Ann O’Hara' --groups team,friends)",
      'BOB=$(npm run -s token -- bob --username Bob)',
    ].join('\n'),
  );
});
