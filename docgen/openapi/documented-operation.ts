import type { Example } from '../../shared/contract/examples.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import type { DocumentedOperation, Response } from './openapi-types.ts';
import { getOperationId } from './operation-ids.ts';
import { toParameters } from './parameters.ts';
import { toRequestBody } from './request-body.ts';
import { getHeaderParameters } from './request-headers.ts';
import { toErrorResponses } from './responses/error-responses.ts';
import { getSuccessHeaders, toHeaderReferences } from './responses/reply-headers.ts';
import { convertSchema } from './schemas.ts';

/** Returns the resource of an operation: `messages` for `messages/send`. */
export const getResource = ({ id }: Operation): string => id.split('/', 1).join();

export function toDocumentedOperation(row: Operation, example: Example): DocumentedOperation {
  const parameters = [
    ...toParameters('path', row.pathParameters, example.path),
    ...toParameters('query', row.query, example.query),
    ...getHeaderParameters(row),
  ];
  return {
    operationId: getOperationId(row),
    summary: row.summary,
    description: row.description,
    tags: [getResource(row)],
    ...(parameters.length > 0 && { parameters }),
    ...(row.body && { requestBody: toRequestBody(row.body, example.body) }),
    responses: {
      [row.status]: toSuccessResponse(row, example.reply),
      ...(row.statusIfExists && {
        [row.statusIfExists]: {
          ...toSuccessResponse(row, example.reply),
          description: 'The resource already existed.',
        },
      }),
      ...(row.redirects && { 302: { ...toSuccessResponse(row, example.reply), ...redirect } }),
      ...(row.method === 'GET' && row.versioned && { 304: notModified }),
      ...toErrorResponses(row.errors),
    },
  };
}

const toSuccessResponse = (row: Operation, example: unknown): Response => ({
  description: row.list ? 'A page of the list.' : row.status === 201 ? 'Created.' : 'Done.',
  headers: toHeaderReferences(getSuccessHeaders(row)),
  content: { 'application/json': { schema: convertSchema(row.reply), example } },
});

const redirect = {
  description: 'Redirect to `url`, unless the request contains `redirect=false`.',
  headers: toHeaderReferences(['Location']),
};

const notModified: Response = {
  description: 'The resource still matches the `If-None-Match` header.',
  headers: toHeaderReferences(['ETag']),
};
