import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Returns headers with lower-case names, because clients and proxies use any case. */
export const lowerCaseHeaders = (
  headers: APIGatewayProxyEvent['headers'],
): APIGatewayProxyEvent['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
