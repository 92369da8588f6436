import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import * as v from 'valibot';

const { version } = v.parse(
  v.object({ version: v.string() }),
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')),
);

/** Headers of every reply, including errors. */
export const commonHeaders = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=63072000',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, Idempotent-Replayed, Link, Location, Request-Id, Retry-After, Service-Version',
  'Service-Version': version,
  'Request-Id': expect.stringMatching(/^[\da-f-]{36}$/),
};
