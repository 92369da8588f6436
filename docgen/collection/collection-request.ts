import { errorCatalog } from '../../shared/contract/errors.ts';
import type { Example } from '../../shared/contract/examples.ts';
import { hasLocation, type Operation } from '../../shared/contract/operation.ts';
import { getResource, toDocumentedOperation } from '../openapi/documented-operation.ts';
import type { Parameter, Reference } from '../openapi/openapi-types.ts';
import { getOperationId } from '../openapi/operation-ids.ts';
import { headerParameters } from '../openapi/request-headers.ts';
import { getIdVariable, replaceWithVariables } from './variables.ts';

/**
 * Returns an operation's request with the example's values and user. `seq` is the request's
 * position in the scenario.
 */
export function toCollectionRequest(row: Operation, example: Example, seq: number) {
  const { summary, description, parameters = [] } = toDocumentedOperation(row, example);
  const resolved = parameters.map(resolveParameter);
  const headers = resolved.filter((one) => one.in === 'header').flatMap(toValues);
  const params = resolved
    .filter((one) => one.in !== 'header')
    .flatMap((one) => toValues(one).map((value) => ({ ...value, type: one.in })));
  return {
    file: `${getOperationId(row)}.yml`,
    info: { name: summary, type: 'http', seq, tags: [getResource(row)] },
    http: {
      method: row.method,
      url: `{{base_url}}${row.path.replace(/\{(\w+)\}/g, ':$1')}`,
      ...(params.length > 0 && { params }),
      ...(headers.length > 0 && { headers }),
      ...(row.body && { body: { type: 'json', data: toText(replaceWithVariables(example.body)) } }),
      auth: { type: 'bearer', token: `{{${example.as}_token}}` },
    },
    runtime: {
      ...(hasLocation(row) && { actions: [createSaveIdAction(row)] }),
      assertions: [toStatusAssertion(row)],
    },
    docs: { content: description, type: 'text/markdown' },
  };
}

/**
 * Returns an entry for each value of the example. If there is no example, returns a disabled entry.
 */
function toValues({ name, description, example }: Parameter) {
  if (example === undefined) return [{ name, value: '', description, disabled: true }];
  return [example]
    .flat()
    .map((one) => ({ name, value: toText(replaceWithVariables(one)), description }));
}

const resolveParameter = (one: Parameter | Reference): Parameter => {
  if (!('$ref' in one)) return one;
  const found = Object.values(headerParameters).find(({ name }) => one.$ref.endsWith(`/${name}`));
  if (found) return found;
  throw new Error(`Unknown parameter: ${one.$ref}.`);
};

/**
 * Returns an assertion about the response status. Also accepts `not_scanned` if the operation may
 * return it. The collection uploads no file, so stages that scan files reject the request with this
 * error.
 */
function toStatusAssertion({ status, errors }: Operation) {
  const expression = 'res.status';
  return errors.includes('not_scanned')
    ? { expression, operator: 'in', value: `${status}, ${errorCatalog.not_scanned.status}` }
    : { expression, operator: 'eq', value: String(status) };
}

/** Returns an action that stores the id of the created object in a variable for later requests. */
const createSaveIdAction = (row: Operation) => ({
  type: 'set-variable',
  phase: 'after-response',
  selector: { expression: 'res.body.id', method: 'jsonq' },
  variable: { name: getIdVariable(row), scope: 'runtime' },
});

const toText = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
