import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Returns the headers with lower-case names. */
export const lowerCaseHeaders = (
  headers: APIGatewayProxyEvent['headers'],
): APIGatewayProxyEvent['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
