import { describe, expect, test } from '@jest/globals';
import { sendMessage } from '../../../../shared/contract/operations.ts';
import { refused } from '../../../support/handlers/invoke-handler.ts';
import { ann } from '../../../support/people/callers.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('A body', () => {
  test.each(['1e400', '-1e400', `1${'0'.repeat(400)}`])(
    'is rejected if it contains a number that overflows to infinity: %s',
    async (number) => {
      const body = `{"conversation_id":"x","message":"a","attachments":[{"a":${number}}]}`;
      expect(await refused(sendMessage, { as: ann, body })).toMatchObject({
        status: 400,
        code: 'body_malformed',
        message: 'The body contains a number that is too large.',
      });
    },
  );

  test('with an overflowing number in a form field is rejected with an error that names the field', async () => {
    const body = `conversation_id=x&message=a&attachments[0][size]=${'9'.repeat(400)}`;
    expect(await refused(sendMessage, { as: ann, body, headers: form })).toMatchObject({
      status: 400,
      param: 'attachments[0].size',
    });
  });

  test('in base64 with more than 1,000 form fields is rejected', async () => {
    const body = Buffer.from('a=1&'.repeat(1001)).toString('base64');
    const call = { as: ann, body, headers: form, isBase64Encoded: true };
    expect(await refused(sendMessage, call)).toMatchObject({
      code: 'body_malformed',
      message: 'The body must have at most 1000 fields.',
    });
  });

  describe('is rejected as invalid UTF-8 if it contains', () => {
    const json = (text: Buffer) =>
      Buffer.concat([Buffer.from('{"message":"'), text, Buffer.from('"}')]);
    const inBase64 = (bytes: Buffer, headers = {}) => ({
      as: ann,
      body: bytes.toString('base64'),
      isBase64Encoded: true,
      headers,
    });

    test.each([
      ['an invalid byte', [0xff]],
      ['an incomplete character', [0xc3]],
      ['an overlong encoding', [0xc0, 0x80]],
      ['a lone surrogate', [0xed, 0xa0, 0x80]],
    ])('%s', async (_, rawBytes) => {
      const bytes = Buffer.from(rawBytes);
      const encoded = rawBytes.map((byte) => `%${byte.toString(16)}`).join('');
      const malformed = { status: 400, code: 'body_malformed', param: null };
      expect(await refused(sendMessage, inBase64(json(bytes)))).toMatchObject({
        ...malformed,
        message: 'The body is not valid UTF-8.',
      });
      const inForm = Buffer.concat([Buffer.from('message='), bytes]);
      expect(await refused(sendMessage, inBase64(inForm, form))).toMatchObject({
        ...malformed,
        message: 'The body is not valid UTF-8.',
      });
      for (const body of [`message=${encoded}`, `${encoded}=1`]) {
        expect(await refused(sendMessage, { as: ann, body, headers: form })).toMatchObject({
          ...malformed,
          message: 'The form contains bytes that are not valid UTF-8.',
        });
      }
    });
  });

  test('in base64 that is too large and not UTF-8 is rejected as too large', async () => {
    const body = Buffer.alloc(262_145, 0xff).toString('base64');
    expect(await refused(sendMessage, { as: ann, body, isBase64Encoded: true })).toMatchObject({
      code: 'body_too_large',
    });
  });
});
