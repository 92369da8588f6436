import { describe, expect, test } from '@jest/globals';
import { listMessages } from '../../../shared/contract/operations.ts';
import { addressOf, links } from '../../../shared/http/links.ts';
import { eventOf } from '../../support/event.ts';
import { ann } from '../../support/people.ts';

describe('The links of a page', () => {
  const headers = { host: 'api.example.com', 'x-forwarded-proto': 'https' };
  const page = { data: [], has_more: true, first: '1', last: '9' };

  test('carry on what the operation reads, and nothing that it ignores', () => {
    const query = { limit: '1', utm_source: 'x'.repeat(9000), __proto__x: '1' };
    const isRead = (name: string) => name === 'limit';
    expect(links(eventOf(listMessages, { as: ann, query, headers }), page, isRead)).toBe(
      '<https://api.example.com/v1/messages?limit=1&starting_after=9>; rel="next"',
    );
  });

  test('lead to the list itself when it was asked for with a slash at its end', () => {
    const event = eventOf(listMessages, { as: ann, headers });
    event.requestContext.path = '/v1/messages/';
    expect(addressOf(event)).toBe('https://api.example.com/v1/messages');
  });
});
