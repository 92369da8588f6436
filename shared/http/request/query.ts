import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describeSchema } from '../../contract/schema/describe-schema.ts';
import type { FormFields } from './form.ts';

/**
 * Returns the fields of the query string. A repeated parameter becomes a list, which the schema may
 * reject.
 */
export function parseQuery(
  schema: unknown,
  { multiValueQueryStringParameters }: APIGatewayProxyEvent,
): FormFields {
  const fields: FormFields = new Map();
  for (const [name, values = []] of Object.entries(multiValueQueryStringParameters ?? {})) {
    const parameter = getParameterName(schema, name);
    if (isListParameter(schema, parameter)) {
      const others = fields.get(parameter) ?? [];
      const items = values.filter((value) => value !== '');
      fields.set(parameter, Array.isArray(others) ? [...others, ...items] : items);
    } else {
      const [value = '', ...others] = values;
      fields.set(name, others.length > 0 ? values : value);
    }
  }
  return fields;
}

/**
 * Returns the parameter to which a name in the query refers: a list may be named `expand`,
 * `expand[]` or `expand[0]`.
 */
export function getParameterName(schema: unknown, name: string): string {
  const [, root] = /^([^[\]]+)\[\d{0,4}\]$/.exec(name) ?? [];
  return root !== undefined && isListParameter(schema, root) ? root : name;
}

const isListParameter = (schema: unknown, name: string): boolean =>
  describeSchema(describeSchema(schema).fields?.get(name)).item !== undefined;
