import type { MiddlewareObj } from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import formBodyParser from '@middy/http-urlencode-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ApiError } from '../../api-error.ts';
import { reservedNames } from '../../contract/schema/objects.ts';
import { checkEncoding, malformed, nestForm, tooDeep } from './form.ts';

const maxBytes = 256 * 1024;
/** Maximum number of fields, enough to write back a message with all its reactions. */
const maxFields = 2000;
/** Maximum number of form fields. The form parser silently drops further fields. */
const maxFormFields = 1000;
const maxDepth = 16;

const jsonType = /^application\/([a-z0-9.+-]+\+)?json(;|$)/i;
const formType = /^application\/x-www-form-urlencoded(;|$)/i;

/**
 * Returns the middlewares that set `event.body` to the JSON value or to a form's flat fields. They
 * throw `body_too_large`, `content_type_unsupported`, and `body_malformed` for invalid UTF-8, deep
 * nesting and too many form fields. For malformed JSON, the parser throws an error with status 422.
 */
export const createBodyParsers = (): MiddlewareObj<
  APIGatewayProxyEvent,
  APIGatewayProxyResult
>[] => [
  { before: ({ event }) => decodeAndCheckBody(event) },
  jsonBodyParser<APIGatewayProxyEvent>({ disableContentTypeError: true }),
  formBodyParser<APIGatewayProxyEvent>({ disableContentTypeError: true }),
];

function decodeAndCheckBody(event: APIGatewayProxyEvent): void {
  const { headers } = event;
  // Decodes the body first, so that the size check measures the decoded bytes.
  const body = event.isBase64Encoded ? decodeBase64(event.body ?? '') : event.body;
  Object.assign(event, { body, isBase64Encoded: false });
  if (!body) {
    // Ignores the content type of a request without a body.
    event.body = null;
    delete headers['content-type'];
    return;
  }
  if (Buffer.byteLength(body) > maxBytes) throw new ApiError('body_too_large');
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

/**
 * Throws `body_malformed` if the JSON is nested too deeply. Runs before the parser, whose recursion
 * overflows the stack at about 100,000 levels.
 */
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
 * Decodes a base64 body. Throws `body_too_large` above the maximum size, and `body_malformed` for
 * invalid UTF-8. In text bodies, API Gateway would replace invalid UTF-8 with U+FFFD.
 */
function decodeBase64(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > maxBytes) throw new ApiError('body_too_large');
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed('The body is not valid UTF-8.');
  }
}

/**
 * Returns the JSON object or the nested form fields; an empty object if there is no body. Throws
 * `body_malformed` for other values, reserved names, malformed brackets, and exceeded limits.
 */
export function readBody({ body, headers }: APIGatewayProxyEvent): unknown {
  const parsed: unknown = body ?? {};
  const isForm = formType.test(headers['content-type'] ?? '');
  const structure = isForm && isFlatForm(parsed) ? nestForm(parsed, maxDepth) : parsed;
  if (typeof structure !== 'object' || Array.isArray(structure)) {
    throw malformed('The body must be an object.');
  }
  checkStructure(structure, { fields: 0 });
  return structure;
}

const isFlatForm = (value: unknown): value is Record<string, string | string[]> =>
  typeof value === 'object' && value !== null;

function checkStructure(value: unknown, count: { fields: number }): void {
  // JSON cannot represent infinity, so a number such as 1e400 could not be returned.
  if (typeof value === 'number' && !Number.isFinite(value))
    throw malformed('The body contains a number that is too large.');
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of value instanceof Map ? value : Object.entries(value)) {
    count.fields += 1;
    if (count.fields > maxFields) throw tooManyFields(maxFields);
    if (reservedNames.includes(name)) {
      throw malformed(`The body must not have a field named '${name}'.`);
    }
    checkStructure(inner, count);
  }
}

const tooManyFields = (max: number) => malformed(`The body must have at most ${max} fields.`);
