import type { Example } from '../../shared/contract/examples.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { errorResponsesOf } from './error-responses.ts';
import type { DocumentedOperation, Response } from './openapi-types.ts';
import { operationIdOf } from './operation-ids.ts';
import { parametersOf } from './parameters.ts';
import { headersOf, headersOfSuccess } from './reply-headers.ts';
import { requestBodyOf } from './request-body.ts';
import { headerParametersOf } from './request-headers.ts';
import { jsonSchemaOf } from './schemas.ts';

/** `messages/send` belongs to `messages`. */
export const resourceOf = ({ id }: Operation): string => id.split('/', 1).join();

/** An operation of the contract, as the OpenAPI document tells it. */
export function documentedOperation(row: Operation, example: Example): DocumentedOperation {
  const parameters = [
    ...parametersOf('path', row.pathParameters, example.path),
    ...parametersOf('query', row.query, example.query),
    ...headerParametersOf(row),
  ];
  return {
    operationId: operationIdOf(row),
    summary: row.summary,
    description: row.description,
    tags: [resourceOf(row)],
    ...(parameters.length > 0 && { parameters }),
    ...(row.body && { requestBody: requestBodyOf(row.body, example.body) }),
    responses: {
      [row.status]: success(row, example.reply),
      ...(row.statusOfFound && {
        [row.statusOfFound]: {
          ...success(row, example.reply),
          description: 'It was there already.',
        },
      }),
      ...(row.method === 'GET' && row.versioned && { 304: notModified }),
      ...errorResponsesOf(row.errors),
    },
  };
}

const success = (row: Operation, example: unknown): Response => ({
  description: row.list ? 'A page of the list.' : row.status === 201 ? 'Created.' : 'Done.',
  headers: headersOf(headersOfSuccess(row)),
  content: { 'application/json': { schema: jsonSchemaOf(row.reply), example } },
});

const notModified: Response = {
  description: 'The thing is still in the state that `If-None-Match` names.',
  headers: headersOf(['ETag']),
};
