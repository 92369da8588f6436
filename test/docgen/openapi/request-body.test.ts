import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { toRequestBody } from '../../../docgen/openapi/request-body.ts';
import { SendMessage } from '../../../shared/contract/resources/message.ts';

const nested = { style: 'deepObject', explode: true };

describe('A request body', () => {
  test('has the same schema as JSON and as a form, which uses brackets for nested fields', () => {
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
          encoding: { attachments: nested, mentions: nested },
        },
      },
    });
  });

  test('is optional if no field is required', () => {
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
