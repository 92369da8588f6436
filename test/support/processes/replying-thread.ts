import { Worker } from 'node:worker_threads';

/** Program that replies to each request and then increments the shared number of replies. */
const program = `
  const { workerData, parentPort } = require('node:worker_threads');
  const server = require('node:http').createServer((request, response) => {
    response.end('{}', () => {
      Atomics.add(workerData, 0, 1);
      Atomics.notify(workerData, 0);
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/**
 * Starts an HTTP server that replies even while the calling thread is blocked. The first element of
 * `replies` is the number of replies that the server has sent.
 */
export async function startReplyingThread() {
  const replies = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(program, { eval: true, workerData: replies });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  return { url: `http://127.0.0.1:${port}`, replies, stop: () => worker.terminate() };
}
