import type { APIGatewayProxyEvent } from 'aws-lambda';
import { shapeOf } from '../contract/shape.ts';
import type { FormFields } from './form.ts';

/**
 * Returns the query as fields. List items repeat the list's name, with or without brackets. Any
 * other repeated parameter becomes a list, which its schema rejects.
 */
export function queryOf(
  schema: unknown,
  { multiValueQueryStringParameters }: APIGatewayProxyEvent,
): FormFields {
  const fields: FormFields = new Map();
  for (const [name, values = []] of Object.entries(multiValueQueryStringParameters ?? {})) {
    const parameter = parameterOf(schema, name);
    if (isList(schema, parameter)) {
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
 * Returns the parameter of a query name: list items may be named `expand`, `expand[]` or
 * `expand[0]`.
 */
export function parameterOf(schema: unknown, name: string): string {
  const [, root] = /^([^[\]]+)\[\d{0,4}\]$/.exec(name) ?? [];
  return root !== undefined && isList(schema, root) ? root : name;
}

const isList = (schema: unknown, name: string): boolean =>
  shapeOf(shapeOf(schema).fields?.get(name)).item !== undefined;
