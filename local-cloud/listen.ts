import type { Server } from 'node:http';
import { getErrorCode, Problem } from '../lib/problem.ts';

const listenErrors: Partial<Record<string, string>> = {
  EADDRINUSE: 'is in use: choose another with --port, or stop the program that uses it.',
  // Ports below 1024 require privileges, and Windows reserves some other ports.
  EACCES: 'requires privileges: choose another with --port.',
};

/**
 * Starts listening on the loopback interface; port 0 chooses a free port. Keeps idle connections
 * open. If the server closed idle connections, a frozen function or a busy client might send a
 * request on a closed connection.
 */
export const listen = (server: Server, port: number) =>
  new Promise<{ port: number; close(): Promise<void> }>((resolve, reject) => {
    server.keepAliveTimeout = 0;
    server.once('error', (error) => {
      const reason = listenErrors[String(getErrorCode(error))];
      reject(reason === undefined ? error : new Problem(`Port ${port} ${reason}`));
    });
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address !== 'object' || !address) {
        reject(new Error('The server has no port.'));
        return;
      }
      resolve({ port: address.port, close: () => close(server) });
    });
  });

/** Stops the server, and closes all connections without waiting for replies. */
const close = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
