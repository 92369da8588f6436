import type { JsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { getOperationId } from '../../docgen/openapi/operation-ids.ts';
import { toParameters } from '../../docgen/openapi/parameters.ts';
import { convertSchema, getFields, resolveReference } from '../../docgen/openapi/schemas.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { flagNames } from '../../shared/contract/resources/exclude.ts';
import { toDocComment, toField, toTypeScript } from './typescript-types.ts';

export const rows: readonly Operation[] = operations;

/** Returns the name of an operation's parameter type, such as `SendMessageParams`. */
export const getParamsName = (row: Operation): string => {
  const name = getOperationId(row);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Params`;
};

/**
 * Returns the names of the query parameters. If the operation has no body, returns an empty list,
 * because all parameters outside the path are then in the query.
 */
export const getQueryNames = (row: Operation): string[] =>
  row.body && row.query ? getFields(convertSchema(row.query)).map(([name]) => name) : [];

/**
 * Type parameter of a method whose result type depends on a request parameter, such as `expand`.
 */
export interface ResultParameter {
  parameter: 'expand' | 'format';
  result: string;
  /** Type parameter as a method declares it. Its default is the API's default value. */
  declaration: string;
  /** Type parameter as the `Params` type declares it. Its default accepts all values. */
  widest: string;
}

export function getResultParameter(row: Operation): ResultParameter | undefined {
  const fields = new Map(getFields(row.query ? convertSchema(row.query) : {}));
  if (fields.has('format')) {
    return {
      parameter: 'format',
      result: 'BusinessIn<Value>',
      declaration: "Value extends BusinessFormat = 'snake_case'",
      widest: 'Value extends BusinessFormat = BusinessFormat',
    };
  }
  const expand = fields.get('expand');
  if (expand) {
    const words = toTypeScript(expand);
    const any = `readonly ${words}`;
    return {
      parameter: 'expand',
      result: words === 'MessageExpansion[]' ? 'ExpandedMessage<Value>' : 'Expanded<Value>',
      declaration: `const Value extends ${any} = []`,
      widest: `Value extends ${any} = ${any}`,
    };
  }
  return undefined;
}

/** Returns the type of a method's parameters: path, query and body fields as one object. */
export function toParamsType(row: Operation): string {
  const result = getResultParameter(row);
  const bodyFields = row.body ? getFields(convertSchema(row.body)).map(([name]) => name) : [];
  const parameters = [
    ...toParameters('path', row.pathParameters, undefined),
    ...toParameters('query', row.query, undefined),
  ].map((parameter) => ({ ...parameter, name: parameter.name.replace('[]', '') }));
  const names = parameters.map(({ name }) => name);
  const fields = parameters
    .filter(({ name }) => !(row.redirects && name === 'redirect'))
    .filter(({ name }) => name === result?.parameter || !bodyFields.includes(name))
    .flatMap(({ name, required, description, schema }) => {
      const type = name === result?.parameter ? 'Value' : toParameterType(schema);
      return [...toDocComment(description, '  '), `  ${toField(name, type, required === true)}`];
    });
  const parts = [
    ...(fields.length > 0 ? [['{', ...fields, '}'].join('\n')] : []),
    ...(row.body ? [toBodyType(row.body, result?.parameter)] : []),
    ...(names.includes('ending_before') ? ['OneCursor'] : []),
    ...(names.includes('exclude') ? flagNames.map((flag) => `NotExcluded<'${flag}'>`) : []),
  ];
  return parts.length > 0 ? parts.join(' & ') : 'Record<never, never>';
}

/** Returns the type of a body without `parameter`, which is declared separately. */
function toBodyType(body: GenericSchema, parameter: string | undefined): string {
  const type = toTypeScript(convertSchema(body));
  return parameter === undefined ? type : `OmitFromEach<${type}, '${parameter}'>`;
}

const toParameterType = (schema: JsonSchema) =>
  `${schema.type === 'array' ? 'readonly ' : ''}${toTypeScript(schema, '  ')}`;

/**
 * Returns a method's result type; for a list, the item type. Throws if a list's reply has no
 * `data`.
 */
export function toResultType(row: Operation): string {
  const { result } = getResultParameter(row) ?? {};
  if (result) return result;
  const reply = convertSchema(row.reply);
  if (!row.list) return toTypeScript(reply);
  const { data } = resolveReference(reply).properties ?? {};
  if (typeof data !== 'object') throw new Error(`The reply to the list ${row.id} has no data.`);
  return toTypeScript(data).replace(/\[\]$/, '');
}
