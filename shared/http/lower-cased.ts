import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Header names have no case; clients and proxies write them in any. */
export const lowerCased = (
  headers: APIGatewayProxyEvent['headers'],
): APIGatewayProxyEvent['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
