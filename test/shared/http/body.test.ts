import { describe, expect, test } from '@jest/globals';
import { sendMessage } from '../../../shared/contract/operations.ts';
import { refused } from '../../support/handlers.ts';
import { ann } from '../../support/people.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('A body', () => {
  test.each(['1e400', '-1e400', `1${'0'.repeat(400)}`])(
    'with the number %s, which could not be given back, is refused',
    async (number) => {
      const body = `{"conversation_id":"x","message":"a","attachments":[{"a":${number}}]}`;
      expect(await refused(sendMessage, { as: ann, body })).toMatchObject({
        status: 400,
        code: 'body_malformed',
        message: 'The body has a number that is too large.',
      });
    },
  );

  test('with such a number in a form says that it is no number', async () => {
    const body = `conversation_id=x&message=a&attachments[0][size]=${'9'.repeat(400)}`;
    expect(await refused(sendMessage, { as: ann, body, headers: form })).toMatchObject({
      status: 400,
      param: 'attachments[0].size',
    });
  });

  test('in base64 has its fields counted like every other', async () => {
    const body = Buffer.from('a=1&'.repeat(1001)).toString('base64');
    const call = { as: ann, body, headers: form, isBase64Encoded: true };
    expect(await refused(sendMessage, call)).toMatchObject({
      code: 'body_malformed',
      message: 'The body has more than 1000 fields.',
    });
  });
});
