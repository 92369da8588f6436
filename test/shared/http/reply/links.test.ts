import { describe, expect, test } from '@jest/globals';
import { listMessages, retrieveMessage } from '../../../../shared/contract/operations.ts';
import {
  createLinkHeader,
  getBaseUrl,
  getRequestUrl,
} from '../../../../shared/http/reply/links.ts';
import { toGatewayEvent } from '../../../support/handlers/gateway-event.ts';
import { ann } from '../../../support/people/callers.ts';

describe('The links of a page', () => {
  const headers = { host: 'api.example.com', 'x-forwarded-proto': 'https' };
  const page = { data: [], has_more: true, first: '1', last: '9' };

  test('contain only query parameters that the operation reads', () => {
    const query = { limit: '1', utm_source: 'x'.repeat(9000), __proto__x: '1' };
    const parameterOf = (name: string) => (name === 'limit' ? name : undefined);
    expect(
      createLinkHeader(
        toGatewayEvent(listMessages, { as: ann, query, headers }),
        page,
        parameterOf,
      ),
    ).toBe('<https://api.example.com/v1/messages?limit=1&starting_after=9>; rel="next"');
  });

  test('contain each parameter value once, even if the request repeats the value under other spellings of the name', () => {
    const query = { 'expand[]': Array(500).fill('contact'), 'expand[7]': 'contact', expand: 'x' };
    const event = toGatewayEvent(listMessages, { as: ann, query, headers });
    expect(createLinkHeader(event, page, () => 'expand')).toBe(
      '<https://api.example.com/v1/messages?expand%5B%5D=contact&expand=x&starting_after=9>; rel="next"',
    );
  });

  test('omit the trailing slash of the request path', () => {
    const event = toGatewayEvent(listMessages, { as: ann, headers });
    event.requestContext.path = '/v1/messages/';
    expect(getRequestUrl(event)).toBe('https://api.example.com/v1/messages');
  });
});

test.each([
  ['api.example.com:8443', 'api.example.com:8443'],
  ['[::1]:3000', '[::1]:3000'],
  ['"><script>alert(1)</script>', 'abc.execute-api.eu-central-1.amazonaws.com'],
  ['api.example.com/other', 'abc.execute-api.eu-central-1.amazonaws.com'],
  ['user@api.example.com', 'abc.execute-api.eu-central-1.amazonaws.com'],
])('For the Host header %j, the request URL has the host %s', (host, expected) => {
  const event = toGatewayEvent(listMessages, { as: ann, headers: { host } });
  event.requestContext.domainName = 'abc.execute-api.eu-central-1.amazonaws.com';
  expect(getRequestUrl(event)).toBe(`https://${expected}/v1/messages`);
});

test.each([
  ['a custom domain name', 'api.example.com', '/v1/messages/1'],
  [
    'the default domain name of API Gateway',
    'abc.execute-api.eu-central-1.amazonaws.com/dev',
    '/dev/v1/messages/1',
  ],
  [
    'a custom domain name that is shared with other APIs',
    'example.com/chat/v1',
    '/chat/v1/v1/messages/1/',
  ],
])(
  'With %s, the base URL is the part of the request URL before the operation’s path',
  (_, base, path) => {
    const headers = { host: base.split('/')[0] ?? '', 'x-forwarded-proto': 'https' };
    const event = toGatewayEvent(retrieveMessage, { as: ann, path: { message_id: '1' }, headers });
    event.requestContext.path = path;
    expect(getBaseUrl(event)).toBe(`https://${base}`);
  },
);
