import { Writable } from 'node:stream';

/** Mark of a handler passed to `streamifyResponse`, as in Lambda's runtime. */
const streamingMark = Symbol.for('aws.lambda.runtime.handler.streaming');

/** Collects the output of a streaming handler. */
export class ResponseStream extends Writable {
  #chunks: Buffer[] = [];
  #prelude: Buffer | undefined;

  /** Written before the first bytes; omitted if nothing is written. */
  setPrelude(metadata: unknown): void {
    this.#prelude = Buffer.concat([Buffer.from(JSON.stringify(metadata)), delimiter]);
  }

  setContentType(): void {
    // A header of Lambda's own reply, which the gateway does not pass on.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: () => void): void {
    this.#chunks.push(...(this.#prelude ? [this.#prelude] : []), Buffer.from(chunk));
    this.#prelude = undefined;
    written();
  }

  /** Resolves to the whole output after the end. */
  async readAll(): Promise<Buffer> {
    if (!this.writableFinished) await new Promise((resolve) => this.once('finish', resolve));
    return Buffer.concat(this.#chunks);
  }
}

/** Separates the head of a reply from its body. */
const delimiter = Buffer.alloc(8);

/**
 * The global that Lambda's Node.js runtime provides to functions.
 *
 * @see https://github.com/aws/aws-lambda-nodejs-runtime-interface-client, HttpResponseStream.js
 */
export const awslambda = {
  streamifyResponse: <Handler extends object>(handler: Handler): Handler =>
    Object.assign(handler, { [streamingMark]: 'response' }),
  HttpResponseStream: {
    from: (stream: ResponseStream, metadata: unknown): ResponseStream => {
      stream.setPrelude(metadata);
      return stream;
    },
  },
};

export const isStreaming = (handler: object): boolean =>
  streamingMark in handler && handler[streamingMark] === 'response';
