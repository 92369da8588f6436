import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from '../../api-error.ts';
import type { Operation } from '../../contract/operation.ts';
import { describeSchema } from '../../contract/schema/describe-schema.ts';
import { readBody } from './body.ts';
import { parseQuery } from './query.ts';

/**
 * Throws `parameter_unknown` for a query parameter or a top-level field of the body that the
 * operation does not have. A body may also contain the reply's fields.
 */
export function rejectUnknownParameters(row: Operation, event: APIGatewayProxyEvent): void {
  requireKnown(parseQuery(row.query, event).keys(), [row.query]);
  if (row.body) requireKnown(getFieldNames(readBody(event)), [row.body, row.reply]);
}

const getFieldNames = (body: unknown): Iterable<string> =>
  body instanceof Map ? body.keys() : Object.keys(Object(body));

function requireKnown(names: Iterable<string>, schemas: readonly unknown[]): void {
  const known = schemas.flatMap((schema) => [...(describeSchema(schema).fields?.keys() ?? [])]);
  for (const name of names) {
    if (known.includes(name)) continue;
    const message = `'${name}' is not a parameter of this operation. Its parameters: ${known.join(', ') || 'none'}.`;
    throw new ApiError('parameter_unknown', { message, param: name });
  }
}
