import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import type { Caller } from '../caller.ts';
import type { Input, Operation } from '../contract/operation.ts';
import { ApiError, invalid } from '../errors.ts';
import { bodyOf } from './body.ts';
import { callerOf } from './caller-context.ts';
import { coerce } from './coerce.ts';
import type { FormFields } from './form.ts';

/** What a handler is given: the checked input, and who calls. */
export type Request<Row extends Operation> = Input<Row> & { caller: Caller };

/** Checks an event against the operation's row. Throws the first fault found, naming the parameter. */
export function readRequest<Row extends Operation>(
  row: Row,
  event: APIGatewayProxyEvent,
): Request<Row>;
export function readRequest(row: Operation, event: APIGatewayProxyEvent): Request<Operation> {
  const caller = callerOf(event.requestContext.authorizer);
  return {
    caller,
    path: row.pathParameters ? check(row.pathParameters, event.pathParameters) : {},
    query: row.query ? check(row.query, coerce(row.query, queryOf(event))) : {},
    body: row.body ? check(row.body, bodyAs(row.body, event)) : {},
  };
}

/** A parameter that is given more than once is a list, which no query parameter accepts. */
const queryOf = ({ multiValueQueryStringParameters }: APIGatewayProxyEvent): FormFields =>
  new Map(
    Object.entries(multiValueQueryStringParameters ?? {}).map(([name, values = []]) => {
      const [value = '', ...others] = values;
      return [name, others.length > 0 ? values : value];
    }),
  );

function bodyAs(schema: v.GenericSchema, event: APIGatewayProxyEvent): unknown {
  const body = bodyOf(event);
  return body instanceof Map ? coerce(schema, body) : body;
}

function check(schema: v.GenericSchema, value: unknown): unknown {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  throw faultOf(result.issues[0]);
}

function faultOf({ kind, path, message }: v.BaseIssue<unknown>): ApiError {
  const last = path?.at(-1);
  if (!path || !last)
    return new ApiError('body_malformed', { message: 'The body must be an object.' });
  const param = path.map(({ key }) => key).reduce<string>(parameterName, '');
  if (last.value !== undefined && last.value !== null) return invalid(param, message);
  // A check of the whole, such as one of two being there, says itself what is missing.
  const rule = kind === 'validation' ? message : 'is required';
  return new ApiError('parameter_missing', { message: `'${param}' ${rule}.`, param });
}

/** attachments, 0, url → attachments[0].url */
const parameterName = (outer: string, key: unknown) => {
  if (typeof key === 'number') return `${outer}[${key}]`;
  return outer ? `${outer}.${key}` : String(key);
};
