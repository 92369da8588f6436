import { Writable } from 'node:stream';

/** As Lambda's runtime marks a handler that was given to `streamifyResponse`. */
const mark = Symbol.for('aws.lambda.runtime.handler.streaming');

/** The answer of a handler that streams, gathered until its end. */
export class ResponseStream extends Writable {
  #chunks: Buffer[] = [];
  #prelude: Buffer | undefined;

  /** What goes before the first bytes that are written, and nowhere if none are. */
  setPrelude(metadata: unknown): void {
    this.#prelude = Buffer.concat([Buffer.from(JSON.stringify(metadata)), delimiter]);
  }

  setContentType(): void {
    // A header of Lambda's own reply, which a gateway does not pass on.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: () => void): void {
    this.#chunks.push(...(this.#prelude ? [this.#prelude] : []), Buffer.from(chunk));
    this.#prelude = undefined;
    written();
  }

  /** All of it, once it has ended. */
  async gathered(): Promise<Buffer> {
    if (!this.writableFinished) await new Promise((resolve) => this.once('finish', resolve));
    return Buffer.concat(this.#chunks);
  }
}

/** Between what a reply's head is and its body. */
const delimiter = Buffer.alloc(8);

/**
 * The global that Lambda's Node.js runtime gives to functions.
 *
 * @see https://github.com/aws/aws-lambda-nodejs-runtime-interface-client, HttpResponseStream.js
 */
export const awslambda = {
  streamifyResponse: <Handler extends object>(handler: Handler): Handler =>
    Object.assign(handler, { [mark]: 'response' }),
  HttpResponseStream: {
    from: (stream: ResponseStream, metadata: unknown): ResponseStream => {
      stream.setPrelude(metadata);
      return stream;
    },
  },
};

export const isStreaming = (handler: object): boolean =>
  mark in handler && handler[mark] === 'response';
