import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Operation } from '../contract/operation.ts';

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Returns a Lambda function that serves several operations. It throws for other routes. */
export function dispatch(routes: readonly (readonly [Operation, Handler])[]): Handler {
  const handlers = new Map(
    routes.map(([{ method, path }, handler]) => [`${method} ${path}`, handler]),
  );
  return (event, context) => {
    const route = `${event.httpMethod} ${event.resource}`;
    const handler = handlers.get(route);
    if (!handler) throw new Error(`This function does not serve '${route}'.`);
    return handler(event, context);
  };
}
