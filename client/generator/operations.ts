import { operationIdOf } from '../../docgen/openapi/operation-ids.ts';
import { parametersOf } from '../../docgen/openapi/parameters.ts';
import { fieldsOf, jsonSchemaOf, resolve } from '../../docgen/openapi/schemas.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { comment, typeOf } from './type-of.ts';

export const rows: readonly Operation[] = operations;

/** `sendMessage` takes `SendMessageParams`. */
export const paramsNameOf = (row: Operation): string => {
  const name = operationIdOf(row);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Params`;
};

/** The names of the query's parameters of an operation that has a body, too; all others of it are the body's. */
export const inQueryOf = (row: Operation): string[] =>
  row.body && row.query ? fieldsOf(jsonSchemaOf(row.query)).map(([name]) => name) : [];

/** What a method takes: the parameters of the path, of the query, and the fields of the body, as one object. */
export function paramsTypeOf(row: Operation): string {
  const bodyFields = row.body ? fieldsOf(jsonSchemaOf(row.body)).map(([name]) => name) : [];
  const fields = [
    ...parametersOf('path', row.pathParameters, undefined),
    ...parametersOf('query', row.query, undefined),
  ]
    .map((parameter) => ({ ...parameter, name: parameter.name.replace('[]', '') }))
    .filter(({ name }) => !bodyFields.includes(name))
    .flatMap(({ name, required, description, schema }) => [
      ...comment(description, '  '),
      `  ${name}${required ? '' : '?'}: ${typeOf(schema, '  ')}${required ? '' : ' | undefined'};`,
    ]);
  const parts = [
    ...(fields.length > 0 ? [['{', ...fields, '}'].join('\n')] : []),
    ...(row.body ? [typeOf(jsonSchemaOf(row.body))] : []),
  ];
  return parts.length > 0 ? parts.join(' & ') : 'Record<never, never>';
}

/** What a method gives; of a list, what its items are. */
export function resultTypeOf(row: Operation): string {
  const reply = jsonSchemaOf(row.reply);
  if (!row.list) return typeOf(reply);
  const pages = (reply.anyOf ?? [reply]).map((page) => (typeof page === 'object' ? page : {}));
  const items = pages.map((page) => {
    const { data } = resolve(page).properties ?? {};
    if (typeof data !== 'object') throw new Error(`${row.id} is a list without data.`);
    return typeOf(data).replace(/\[\]$/, '');
  });
  return items.join(' | ');
}
