import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { toRequestBody } from '../../../docgen/openapi/request-body.ts';
import { SendMessage } from '../../../shared/contract/resources/message.ts';

describe('The body of a request', () => {
  test('is the same as JSON and as a form, whose nested fields are written with brackets', () => {
    const media = {
      schema: { $ref: '#/components/schemas/SendMessage' },
      example: { message: 'Hi' },
    };
    expect(toRequestBody(SendMessage, { message: 'Hi' })).toEqual({
      description: expect.stringContaining('brackets'),
      required: true,
      content: {
        'application/json': media,
        'application/x-www-form-urlencoded': {
          ...media,
          encoding: { attachments: { style: 'deepObject', explode: true } },
        },
      },
    });
  });

  test('need not be there when no field is required', () => {
    const nothingRequired = v.object({ is_muted: v.optional(v.boolean()) });
    const media = {
      schema: { type: 'object', properties: { is_muted: { type: 'boolean' } } },
      example: { is_muted: true },
    };
    expect(toRequestBody(nothingRequired, { is_muted: true })).toEqual({
      description: expect.any(String),
      required: false,
      content: { 'application/json': media, 'application/x-www-form-urlencoded': media },
    });
  });
});
