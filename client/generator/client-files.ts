import { getResource } from '../../docgen/openapi/documented-operation.ts';
import { createOpenApiDocument } from '../../docgen/openapi/openapi-document.ts';
import { getHeaderParameters } from '../../docgen/openapi/request-headers.ts';
import { errorCatalog, errorCodes } from '../../shared/contract/errors.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import {
  getParamsName,
  getQueryNames,
  getResultParameter,
  rows,
  toParamsType,
  toResultType,
} from './method-types.ts';
import { toDocComment, toTypeScript } from './typescript-types.ts';

const heading = '// Generated from the contract by `npm run docs`.\n';
const page = (...parts: string[]) => `${[heading.trim(), ...parts].join('\n\n')}\n`;

/** Returns the text of the client files generated from the contract, by file name. */
export const clientFiles = (version: string): Record<string, string> => ({
  'types.ts': types(version),
  'params.ts': params(version),
  'methods.ts': methods(),
  'errors.ts': errors(),
});

const getSchemas = (version: string) => createOpenApiDocument(version).components.schemas ?? {};

function types(version: string): string {
  const named = Object.entries(getSchemas(version)).filter(([name]) => !name.endsWith('Page'));
  return page(
    ...named.map(([name, schema]) => declared(name, toTypeScript(schema), schema.description)),
  );
}

function params(version: string): string {
  const declarations = rows.map((row) => {
    const { widest } = getResultParameter(row) ?? {};
    const name = `${getParamsName(row)}${widest ? `<${widest}>` : ''}`;
    return declared(name, toParamsType(row), `Parameters of \`${row.id.replace('/', '.')}\`.`);
  });
  return page(
    [
      "import type { BusinessFormat, NotExcluded, OmitFromEach, OneCursor } from '../result-types.ts';",
      importUsed(Object.keys(getSchemas(version)), './types.ts', declarations.join()),
    ].join('\n'),
    ...declarations,
  );
}

/** Returns an `import type` statement for the `names` that the code in `text` uses. */
function importUsed(names: readonly string[], from: string, text: string): string {
  const code = text.replaceAll(/\/\*\*.*?\*\//g, '');
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(code)).sort();
  return ['import type {', ...used.map((name) => `  ${name},`), `} from '${from}';`].join('\n');
}

const declared = (name: string, type: string, description?: string) =>
  [...toDocComment(description), `export type ${name} = ${type};`].join('\n');

function methods(): string {
  const resources = Map.groupBy(rows, getResource);
  const toBlock = (toLines: (row: Operation) => string) =>
    Array.from(
      resources,
      ([name, operations]) => `  ${name}: {\n${operations.map(toLines).join('\n')}\n  }`,
    );
  const signatures = toBlock(toSignature);
  const values = toBlock(toValue);
  const text = signatures.join();
  return page(
    [
      "import type { Call } from '../requests/call.ts';",
      "import type { List } from '../requests/list.ts';",
      "import type { ListMethod, Method, MethodFactory, Retrieve } from '../requests/method.ts';",
      "import type { CallOptions, ChangeOptions, RetrieveOptions, SendOptions } from '../options.ts';",
      "import type { BusinessFormat, BusinessIn, Expanded, ExpandedMessage } from '../result-types.ts';",
      importUsed(rows.map(getParamsName), './params.ts', text),
      importUsed(Object.keys(getSchemas('')), './types.ts', text),
    ].join('\n'),
    `/** All operations of the API, as methods. */\nexport interface Methods {\n${signatures.join(';\n')};\n}`,
    `export const methods = (make: MethodFactory): Methods => ({\n${values.join(',\n')},\n});`,
  );
}

const getMethodName = ({ id }: Operation) => id.split('/')[1] ?? '';

/**
 * Options type of each kind of method. Exception: a PUT or DELETE without `If-Match` takes
 * `CallOptions`.
 */
const optionsTypes: Record<string, string> = {
  get: 'CallOptions',
  retrieve: 'RetrieveOptions',
  list: 'CallOptions',
  post: 'SendOptions',
  put: 'ChangeOptions',
  delete: 'ChangeOptions',
};

function toSignature(row: Operation): string {
  const kind = getMethodKind(row);
  const isConditional = getHeaderNames(row).includes('If-Match');
  const options = isChange(row) && !isConditional ? 'CallOptions' : (optionsTypes[kind] ?? '');
  const [name, params, result] = [getMethodName(row), getParamsName(row), toResultType(row)];
  const { declaration } = getResultParameter(row) ?? {};
  const type = (params: string) => {
    if (kind === 'list') return `ListMethod<${params}, ${result}>`;
    if (kind === 'retrieve') return `Retrieve<${params}, ${result}>`;
    return `Method<${params}, ${result}, ${options}>`;
  };
  const toGeneric = (optionsParameter: string, reply: string) =>
    `    ${name}<${declaration}>(params${kind === 'list' ? '?' : ''}: ${params}<Value>, ${optionsParameter}): ${reply};`;
  return [
    ...toDocComment(`**${row.summary}.** ${row.description}`, '    '),
    ...(declaration === undefined
      ? [`    ${name}: ${type(params)};`]
      : kind === 'list'
        ? [toGeneric(`options?: ${options}`, `List<${result}>`)]
        : kind === 'retrieve'
          ? [
              toGeneric(
                `options: ${options} & { ifNoneMatch: string | undefined }`,
                `Call<${result} | null>`,
              ),
              toGeneric('options?: CallOptions', `Call<${result}>`),
            ]
          : [toGeneric(`options?: ${options}`, `Call<${result}>`)]),
  ].join('\n');
}

function toValue(row: Operation): string {
  const inQuery = getQueryNames(row).map((one) => `'${one}'`);
  const values = [
    `'${row.path}'`,
    ...(inQuery.length > 0 ? [`[${inQuery.join(', ')}]`] : []),
    // `fetch` would follow a redirect and return the file instead of the reply.
    ...(row.redirects ? ['{ redirect: false }'] : []),
  ];
  return `    ${getMethodName(row)}: make.${getMethodKind(row)}(${values.join(', ')}),`;
}

const isChange = ({ method }: Operation) => method === 'PUT' || method === 'DELETE';

const getHeaderNames = (row: Operation) =>
  getHeaderParameters(row).map(({ $ref }) => $ref.split('/').at(-1) ?? '');

/** Returns the kind of an operation's method. Throws if no kind fits the operation. */
function getMethodKind(row: Operation): string {
  if (row.list) return 'list';
  if (row.method === 'GET')
    return getHeaderNames(row).includes('If-None-Match') ? 'retrieve' : 'get';
  if (row.method === 'POST' && row.repeatable) return 'post';
  if (isChange(row)) return row.method.toLowerCase();
  throw new Error(`client/src/requests/method.ts has no kind of method for ${row.id}.`);
}

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

/** Returns the name of an error code's class, such as `NotFoundError` for `not_found`. */
export const toClassName = (code: string): string =>
  `${code.replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())}Error`.replace(
    /ErrorError$/,
    'Error',
  );
