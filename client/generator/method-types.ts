import { getOperationId } from '../../docgen/openapi/operation-ids.ts';
import { toParameters } from '../../docgen/openapi/parameters.ts';
import { convertSchema, getFields, resolveReference } from '../../docgen/openapi/schemas.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { toDocComment, toTypeScript } from './typescript-types.ts';

export const rows: readonly Operation[] = operations;

/** `sendMessage` takes `SendMessageParams`. */
export const getParamsName = (row: Operation): string => {
  const name = getOperationId(row);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Params`;
};

/** The names of the query's parameters of an operation that has a body, too; all others of it are the body's. */
export const inQueryOf = (row: Operation): string[] =>
  row.body && row.query ? getFields(convertSchema(row.query)).map(([name]) => name) : [];

/** What a method takes: the parameters of the path, of the query, and the fields of the body, as one object. */
export function toParamsType(row: Operation): string {
  const bodyFields = row.body ? getFields(convertSchema(row.body)).map(([name]) => name) : [];
  const fields = [
    ...toParameters('path', row.pathParameters, undefined),
    ...toParameters('query', row.query, undefined),
  ]
    .map((parameter) => ({ ...parameter, name: parameter.name.replace('[]', '') }))
    .filter(({ name }) => !bodyFields.includes(name))
    .flatMap(({ name, required, description, schema }) => [
      ...toDocComment(description, '  '),
      `  ${name}${required ? '' : '?'}: ${toTypeScript(schema, '  ')}${required ? '' : ' | undefined'};`,
    ]);
  const parts = [
    ...(fields.length > 0 ? [['{', ...fields, '}'].join('\n')] : []),
    ...(row.body ? [toTypeScript(convertSchema(row.body))] : []),
  ];
  return parts.length > 0 ? parts.join(' & ') : 'Record<never, never>';
}

/** What a method gives; of a list, what its items are. */
export function toResultType(row: Operation): string {
  const reply = convertSchema(row.reply);
  if (!row.list) return toTypeScript(reply);
  const pages = (reply.anyOf ?? [reply]).map((page) => (typeof page === 'object' ? page : {}));
  const items = pages.map((page) => {
    const { data } = resolveReference(page).properties ?? {};
    if (typeof data !== 'object') throw new Error(`${row.id} is a list without data.`);
    return toTypeScript(data).replace(/\[\]$/, '');
  });
  return items.join(' | ');
}
