import { STATUS_CODES } from 'node:http';
import {
  type ErrorCode,
  getErrorType,
  getMeaning,
  retryAfterSeconds,
} from '../../../shared/contract/errors.ts';
import { sharedErrors } from '../../../shared/contract/operation.ts';
import type { Reference, Response } from '../openapi-types.ts';
import { groupCodesByStatus } from './codes-by-status.ts';
import { type ReplyHeader, toHeaderReferences } from './reply-headers.ts';

/** Returns the name of a status, such as `TooManyRequests` for 429. */
const toResponseName = (status: number) =>
  (STATUS_CODES[status] ?? String(status)).replaceAll(' ', '');

/** Responses that any operation may return, by status name. */
export const sharedResponses: Record<string, Response> = Object.fromEntries(
  groupCodesByStatus(sharedErrors).map(([status, codes]) => [
    toResponseName(status),
    errorResponse(status, codes),
  ]),
);

/**
 * Returns a response for each status. A status that has only shared codes refers to the shared
 * response.
 */
export const toErrorResponses = (
  codes: readonly ErrorCode[],
): Record<string, Response | Reference> =>
  Object.fromEntries(
    groupCodesByStatus([...codes, ...sharedErrors]).map(([status, group]) => [
      status,
      codes.some((code) => group.includes(code))
        ? errorResponse(status, group)
        : { $ref: `#/components/responses/${toResponseName(status)}` },
    ]),
  );

function errorResponse(status: number, codes: ErrorCode[]): Response {
  return {
    description: codes.map((code) => `- \`${code}\`: ${getMeaning(code, status)}`).join('\n'),
    headers: toHeaderReferences(getErrorHeaders(status, codes)),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/ErrorReply' },
            {
              type: 'object',
              properties: {
                type: { type: 'string', const: getErrorType(status) },
                code: { type: 'string', enum: codes },
              },
            },
          ],
        },
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  };
}

function getErrorHeaders(status: number, codes: ErrorCode[]): ReplyHeader[] {
  const candidates: [ReplyHeader, boolean][] = [
    ['WWW-Authenticate', status === 401],
    ['Retry-After', codes.some((code) => code in retryAfterSeconds)],
  ];
  return candidates.filter(([, present]) => present).map(([name]) => name);
}
