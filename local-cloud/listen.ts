import type { Server } from 'node:http';
import { codeOf, Problem } from '../lib/problem.ts';

const refusals: Partial<Record<string, string>> = {
  EADDRINUSE: 'is taken: choose another with --port, or stop what has it.',
  // Low ones are for administrators, and Windows keeps some for itself.
  EACCES: 'is not for everybody to listen on: choose another with --port.',
};

/** Starts listening on the loopback interface; port 0 takes any that is free. */
export const listen = (server: Server, port: number) =>
  new Promise<{ port: number; close(): Promise<void> }>((resolve, reject) => {
    server.once('error', (error) => {
      const why = refusals[String(codeOf(error))];
      reject(why === undefined ? error : new Problem(`Port ${port} ${why}`));
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

/** Takes no more requests, and ends those under way. */
const close = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
