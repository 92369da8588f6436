import { gunzipSync, inflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { compressReply } from '../../../local-cloud/gateway/compress-reply.ts';
import type { Pairs } from '../../../local-cloud/gateway/request/gateway-request.ts';
import { sampleRequest } from './small-api.ts';

const body = 'é'.repeat(512);
const headers: Pairs = [['ETag', '"a"']];
const compress = (accepted: string | undefined, changes: object = {}, minimumBytes?: number) =>
  compressReply(
    {
      ...sampleRequest,
      headers: accepted === undefined ? [] : [['accept-Encoding', accepted]],
    },
    { status: 200, headers, body, ...changes },
    minimumBytes,
  );

describe('The gateway', () => {
  test.each([
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'gzip'],
    ['br, gzip, deflate', 'gzip'],
    ['deflate;q=0.5, GZIP;q=1.0', 'gzip'],
    ['deflate', 'deflate'],
    ['deflate, gzip;q=0.9', 'deflate'],
    ['br, gzip;q=0.9', undefined],
    ['identity', undefined],
    ['*', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=x', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('replies to Accept-Encoding %j with Content-Encoding %j', async (accepted, encoding) => {
    const reply = await compress(accepted, {}, 1024);
    expect(reply.headers).toEqual(
      encoding ? [...headers, ['Content-Encoding', encoding]] : headers,
    );
    const decode = { gzip: gunzipSync, deflate: inflateSync, none: Buffer.from }[
      encoding ?? 'none'
    ];
    expect(decode?.(Buffer.from(reply.body)).toString()).toBe(body);
  });

  test.each([
    ['below the minimum size', {}, 1025],
    ['of an API without a minimum size', {}, undefined],
    ['that is already encoded', { headers: [['content-encoding', 'br']] }, 0],
  ])('does not compress a reply %s', async (_, changes, minimumBytes) => {
    expect((await compress('gzip', changes, minimumBytes)).body).toBe(body);
  });
});
