import type { MiddlewareObj } from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import formBodyParser from '@middy/http-urlencode-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { reservedNames } from '../contract/objects.ts';
import { ApiError } from '../errors.ts';
import { checkEncoding, nestForm, tooDeep } from './form.ts';

const maxBytes = 256 * 1024;
/** Enough for a message with all the reactions that it can have, so that what somebody got can be put back. */
const maxFields = 2000;
/** Beyond it the form parser drops fields without a word. */
const maxFormFields = 1000;
const maxDepth = 16;

const jsonType = /^application\/([a-z0-9.+-]+\+)?json(;|$)/i;
const formType = /^application\/x-www-form-urlencoded(;|$)/i;

/**
 * The steps that decode the body and parse it by its content type: `event.body` is then what the JSON says, or a form's
 * flat fields. Throws `body_too_large`, `content_type_unsupported`, and `body_malformed` for bytes that are no UTF-8;
 * malformed JSON is the parser's error 422.
 */
export const parseBody = (): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult>[] => [
  { before: ({ event }) => checkText(event) },
  jsonBodyParser<APIGatewayProxyEvent>({ disableContentTypeError: true }),
  formBodyParser<APIGatewayProxyEvent>({ disableContentTypeError: true }),
];

function checkText(event: APIGatewayProxyEvent): void {
  const { headers } = event;
  // Decoded here, so that what is counted is what is parsed.
  const body = event.isBase64Encoded ? textOf(event.body ?? '') : event.body;
  Object.assign(event, { body, isBase64Encoded: false });
  if (!body) {
    // No body means no fields, whatever type is announced.
    event.body = null;
    delete headers['content-type'];
    return;
  }
  if (Buffer.byteLength(body) > maxBytes) {
    throw new ApiError('body_too_large');
  }
  const contentType = headers['content-type'] ?? '';
  if (!jsonType.test(contentType) && !formType.test(contentType)) {
    throw new ApiError('content_type_unsupported');
  }
  if (jsonType.test(contentType)) checkDepth(body);
  if (formType.test(contentType)) {
    checkEncoding(body);
    if (body.split('&', maxFormFields + 1).length > maxFormFields)
      throw tooManyFields(maxFormFields);
  }
}

/** Before the parser sees it, which goes down into each bracket, and may not come back from a hundred thousand. */
function checkDepth(json: string): void {
  let depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    if (depth > maxDepth) throw tooDeep(maxDepth);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Where API Gateway hands over a text, it has decoded the bytes itself, and has put U+FFFD for each that is no UTF-8, as
 * anybody may write it: only from bytes can one tell.
 */
function textOf(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > maxBytes) throw new ApiError('body_too_large');
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ApiError('body_malformed', { message: 'The body is no UTF-8.' });
  }
}

/** The parsed body: a form nested by its brackets, or JSON as it is. Throws `body_malformed` beyond the limits. */
export function bodyOf({ body, headers }: APIGatewayProxyEvent): unknown {
  const parsed: unknown = body ?? {};
  const isForm = formType.test(headers['content-type'] ?? '');
  const structure = isForm && isFlatForm(parsed) ? nestForm(parsed, maxDepth) : parsed;
  if (typeof structure !== 'object' || Array.isArray(structure)) {
    throw new ApiError('body_malformed', { message: 'The body must be an object.' });
  }
  checkStructure(structure, 1, { fields: 0 });
  return structure;
}

const isFlatForm = (value: unknown): value is Record<string, string | string[]> =>
  typeof value === 'object' && value !== null;

function checkStructure(value: unknown, depth: number, count: { fields: number }): void {
  // JSON has no word for infinity: what is read as such, 1e400 for one, could not be given back.
  if (typeof value === 'number' && !Number.isFinite(value)) throw tooLargeNumber();
  if (typeof value !== 'object' || value === null) return;
  if (depth > maxDepth) throw tooDeep(maxDepth);
  for (const [name, inner] of value instanceof Map ? value : Object.entries(value)) {
    count.fields += 1;
    if (count.fields > maxFields) throw tooManyFields(maxFields);
    if (reservedNames.includes(name)) {
      throw new ApiError('body_malformed', { message: `The body has a field named '${name}'.` });
    }
    checkStructure(inner, depth + 1, count);
  }
}

const tooLargeNumber = () =>
  new ApiError('body_malformed', { message: 'The body has a number that is too large.' });

const tooManyFields = (most: number) =>
  new ApiError('body_malformed', { message: `The body has more than ${most} fields.` });
