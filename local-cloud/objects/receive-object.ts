import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ObjectStore } from './object-store.ts';
import { accessDenied, notImplemented, S3Error } from './s3-error.ts';

interface ReceiveOptions {
  store: ObjectStore;
  bodyHash: string | undefined;
  deniesReplacing: boolean;
  /** Milliseconds since 1970. */
  now: number;
}

const checksumHeader = 'x-amz-checksum-sha256';

/**
 * Stores the body of a PutObject request. Checks `If-None-Match`, the length, the signed hash and
 * the SHA-256 checksum, and throws S3's error if a check fails.
 */
export async function receiveObject(
  request: IncomingMessage,
  key: string,
  { store, bodyHash, deniesReplacing, now }: ReceiveOptions,
): Promise<{ sha256: string }> {
  const { headers } = request;
  requireSupported(headers, deniesReplacing);
  const size = Number(headers['content-length'] ?? Number.NaN);
  if (Number.isNaN(size)) throw new S3Error(411, 'MissingContentLength', 'Send Content-Length.');
  if (await store.find(key)) throw preconditionFailed();
  const path = store.createFile();
  try {
    const hash = createHash('sha256');
    let received = 0;
    const measure = new Transform({
      transform: (chunk: Buffer, _, done) => {
        received += chunk.length;
        hash.update(chunk);
        done(null, chunk);
      },
    });
    await pipeline(request, measure, createWriteStream(path));
    const digest = hash.digest();
    if (received !== size) throw new S3Error(400, 'IncompleteBody', 'The body is too short.');
    if (bodyHash !== undefined && digest.toString('hex') !== bodyHash) {
      throw new S3Error(400, 'XAmzContentSHA256Mismatch', 'The body does not match its hash.');
    }
    const sha256 = digest.toString('base64');
    if ((headers[checksumHeader] ?? sha256) !== sha256) {
      const message = 'The SHA256 you specified did not match the calculated checksum.';
      throw new S3Error(400, 'BadDigest', message);
    }
    const type = headers['content-type'] ?? 'binary/octet-stream';
    const tags = String(headers['x-amz-tagging'] ?? '');
    const metadata = { size, type, sha256, tags, modifiedAt: now };
    if (!(await store.add(key, metadata, path))) throw preconditionFailed();
    return { sha256 };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

const preconditionFailed = () =>
  new S3Error(
    412,
    'PreconditionFailed',
    'At least one of the pre-conditions you specified did not hold',
  );

/** Throws S3's error if `If-None-Match` is missing or if a header is not supported. */
function requireSupported(headers: IncomingMessage['headers'], deniesReplacing: boolean) {
  if (headers['if-none-match'] === undefined) {
    throw deniesReplacing ? accessDenied() : notImplemented('writes without If-None-Match');
  }
  if (headers['if-none-match'] !== '*') throw notImplemented('If-None-Match other than *');
  if (headers['if-match'] !== undefined) throw notImplemented('If-Match');
  if (String(headers['x-amz-content-sha256']).startsWith('STREAMING-')) {
    throw notImplemented('bodies signed in chunks');
  }
  const supported =
    /^x-amz-(checksum-sha256|content-sha256|date|security-token|tagging|user-agent)$/;
  const other = Object.keys(headers).find(
    (name) => name.startsWith('x-amz-') && !supported.test(name),
  );
  if (other) throw notImplemented(other);
}
