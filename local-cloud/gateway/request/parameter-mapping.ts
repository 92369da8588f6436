import { Problem } from '../../../lib/problem.ts';
import { type GatewayContext, getContextValue } from './gateway-context.ts';
import { type GatewayRequest, getHeader } from './gateway-request.ts';

/** Computes a header's value for a request; `undefined` omits the header. */
export type ParameterMapping = (
  context: GatewayContext,
  request: GatewayRequest,
) => string | undefined;

/**
 * Parses a mapping expression: `'a literal'`, `context.requestId`, and, in gateway responses,
 * `method.request.header.Name` and `method.request.querystring.name`. Throws a Problem for any
 * other expression.
 */
export function parseParameterMapping(
  expression: string,
  target: 'gateway response' | 'integration response',
): ParameterMapping {
  const [, literal] = /^'(.*)'$/s.exec(expression) ?? [];
  if (literal !== undefined) return () => literal;
  const [, contextPath] = /^context\.(.+)$/.exec(expression) ?? [];
  if (contextPath) return (context) => getContextValue(context, contextPath);
  if (target === 'gateway response') {
    const [, kind, name = ''] =
      /^method\.request\.(header|querystring)\.(.+)$/.exec(expression) ?? [];
    if (kind === 'header') return (_, request) => getHeader(request, name);
    if (kind === 'querystring') {
      return (_, request) => request.query.findLast(([candidate]) => candidate === name)?.[1];
    }
  }
  throw new Problem(`A header of the ${target} cannot use the mapping expression ${expression}.`);
}
