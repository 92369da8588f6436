import { getResource } from '../../docgen/openapi/documented-operation.ts';
import { createOpenApiDocument } from '../../docgen/openapi/openapi-document.ts';
import { getHeaderParameters } from '../../docgen/openapi/request-headers.ts';
import { errorCatalog, errorCodes } from '../../shared/contract/errors.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { getParamsName, inQueryOf, rows, toParamsType, toResultType } from './method-types.ts';
import { toDocComment, toTypeScript } from './typescript-types.ts';

const heading = '// Written from the contract by `npm run docs`.\n';
const page = (...parts: string[]) => `${[heading.trim(), ...parts].join('\n\n')}\n`;

/** The files of the client that follow from the contract, by their names. */
export const clientFiles = (version: string): Record<string, string> => ({
  'types.ts': types(version),
  'methods.ts': methods(),
  'errors.ts': errors(),
});

/** Resources, bodies, and what each method takes. */
function types(version: string): string {
  const { schemas = {} } = createOpenApiDocument(version).components;
  const named = Object.entries(schemas).filter(([name]) => !name.endsWith('Page'));
  return page(
    ...named.map(([name, schema]) => declared(name, toTypeScript(schema), schema.description)),
    ...rows.map((row) =>
      declared(
        getParamsName(row),
        toParamsType(row),
        `What \`${row.id.replace('/', '.')}\` takes.`,
      ),
    ),
  );
}

const declared = (name: string, type: string, description?: string) =>
  [...toDocComment(description), `export type ${name} = ${type};`].join('\n');

/** The methods, named as the operations. */
function methods(): string {
  const resources = Map.groupBy(rows, getResource);
  const params = rows.map(getParamsName);
  const results = rows.flatMap((row) => toResultType(row).split(' | '));
  const imported = [...new Set([...params, ...results])].sort();
  return page(
    [
      "import type { MethodFactory } from '../method.ts';",
      'import type {',
      ...imported.map((name) => `  ${name},`),
      "} from './types.ts';",
    ].join('\n'),
    '/** All operations of the API, as methods. */',
    [
      'export const methods = (make: MethodFactory) => ({',
      ...Array.from(resources, ([resource, its]) =>
        [`  ${resource}: {`, ...its.map(method), '  },'].join('\n'),
      ),
      '});',
    ].join('\n'),
  ).replace(' */\n\nexport', ' */\nexport');
}

function method(row: Operation): string {
  const [, name] = row.id.split('/');
  const types = [getParamsName(row), toResultType(row)];
  const inQuery = inQueryOf(row).map((one) => `'${one}'`);
  const values = [`'${row.path}'`, ...(inQuery.length > 0 ? [`[${inQuery.join(', ')}]`] : [])];
  return [
    ...toDocComment(`**${row.summary}.** ${row.description}`, '    '),
    `    ${name}: make.${getFactoryName(row)}<${types.join(', ')}>(${values.join(', ')}),`,
  ].join('\n');
}

/** What kind of method: it decides which options there are, and what is done when there was no reply. */
function getFactoryName(row: Operation): string {
  const headers = getHeaderParameters(row).map(({ $ref }) => $ref.split('/').at(-1));
  if (row.list) return 'list';
  if (row.method === 'GET') return headers.includes('If-None-Match') ? 'retrieve' : 'get';
  if (row.method === 'POST' && row.repeatable) return 'post';
  if (row.method !== 'POST' && headers.includes('If-Match')) return row.method.toLowerCase();
  throw new Error(`client/src/method.ts has no kind of method for ${row.id}.`);
}

/** A class for each code. */
function errors(): string {
  return page(
    "import { ApiError, hasCode } from '../api-error.ts';",
    ...errorCodes.map((code) =>
      [
        ...toDocComment(
          `${errorCatalog[code].status}. ${errorCatalog[code].meaning} ${errorCatalog[code].cure}`,
        ),
        `export class ${toClassName(code)} extends ApiError<'${code}'> {`,
        '  static override [Symbol.hasInstance](error: unknown): boolean {',
        `    return hasCode(error, '${code}');`,
        '  }',
        '}',
      ].join('\n'),
    ),
  );
}

/** `not_found` → `NotFoundError`. */
export const toClassName = (code: string): string =>
  `${code.replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())}Error`.replace(
    /ErrorError$/,
    'Error',
  );
