import type { RequestHandler } from './gateway-server.ts';
import type { GatewayRequest } from './request/gateway-request.ts';

/**
 * Creates a gate for requests. `runAlone` runs a task after the active requests have ended. New
 * requests wait until the task has ended.
 */
export function createRequestGate(handle: RequestHandler) {
  const activeRequests = new Set<Promise<unknown>>();
  let ready: Promise<unknown> = Promise.resolve();
  return {
    handleRequest: async (request: GatewayRequest) => {
      await ready;
      const pendingReply = handle(request);
      activeRequests.add(pendingReply);
      return pendingReply.finally(() => activeRequests.delete(pendingReply));
    },
    runAlone: async (task: () => Promise<void>) => {
      const done = Promise.withResolvers<void>();
      ready = done.promise;
      try {
        await Promise.allSettled(activeRequests);
        await task();
      } finally {
        done.resolve();
      }
    },
  };
}
