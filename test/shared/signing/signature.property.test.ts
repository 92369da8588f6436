import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { clock } from '../../../shared/clock.ts';
import { hash, signHeaders, signUrl } from '../../../shared/signing/signature.ts';
import fc from '../../support/setup/fast-check.ts';

const accessKeyId = 'AKIA';

beforeEach(() => {
  jest.replaceProperty(process, 'env', {
    ...process.env,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: accessKeyId,
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

const signings = fc.record({
  now: fc.integer({ min: 0, max: 3 }).map((day) => Date.UTC(2026, 10, 25 + day, 8, 9, 10)),
  secretAccessKey: fc.constantFrom('secret/+=', 'other'),
  sessionToken: fc.option(fc.stringMatching(/^[A-Za-z0-9+/=]{1,40}$/), { nil: undefined }),
});
type Signing = typeof signings extends fc.Arbitrary<infer One> ? One : never;

function beginSigning({ now, secretAccessKey, sessionToken }: Signing) {
  jest.spyOn(clock, 'now').mockReturnValue(now);
  process.env.AWS_SECRET_ACCESS_KEY = secretAccessKey;
  process.env.AWS_SESSION_TOKEN = sessionToken;
}

const createSigner = (service: string, { secretAccessKey, sessionToken }: Signing) =>
  new SignatureV4({
    service,
    region: 'eu-central-1',
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
    sha256: Sha256,
    uriEscapePath: service !== 's3',
    applyChecksum: false,
  });

const toSmithyRequest = (method: string, { protocol, host, pathname, searchParams }: URL) => ({
  ...{ method, protocol, hostname: host, path: pathname },
  query: Object.fromEntries(searchParams),
});

const headerValues = fc.stringMatching(/^[!-~]{1,20}( {1,3}[!-~]{1,10})?$/);
const queries = fc.dictionary(fc.stringMatching(/^[a-z-]{1,12}$/), fc.string({ maxLength: 20 }));

const toUrl = (path: string, query: Record<string, string>) => {
  const url = new URL(`https://service.eu-central-1.amazonaws.com/${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
};

test('Signed headers equal the headers of AWS’s signer for any headers, body, credentials and day', async () => {
  const headers = fc.dictionary(fc.stringMatching(/^x-[a-z-]{1,12}$/), headerValues);
  await fc.assert(
    fc.asyncProperty(signings, headers, fc.string(), async (signing, unsignedHeaders, body) => {
      beginSigning(signing);
      const url = toUrl('', {});
      const request = { method: 'POST', url, service: 'dynamodb', headers: unsignedHeaders };
      const { headers: expected } = await createSigner('dynamodb', signing).sign(
        { ...toSmithyRequest('POST', url), headers: { host: url.host, ...unsignedHeaders }, body },
        { signingDate: new Date(signing.now) },
      );
      expect({ host: url.host, ...(await signHeaders(request, hash(body))) }).toEqual(expected);
    }),
  );
});

test('A signed URL has the query parameters of AWS’s signer for any query, headers, credentials and day', async () => {
  const headers = fc.dictionary(fc.stringMatching(/^x-amz-[a-z]{1,9}$/), headerValues);
  const keys = fc.stringMatching(/^files\/[A-Z0-9]{26}\/[A-Z0-9]{26}$/);
  await fc.assert(
    fc.asyncProperty(
      signings,
      keys,
      queries,
      headers,
      async (signing, key, query, unsignedHeaders) => {
        beginSigning(signing);
        const hashOfBody = 'UNSIGNED-PAYLOAD';
        const url = toUrl(key, { ...query, 'x-amz-content-sha256': hashOfBody });
        const request = { method: 'PUT', url, service: 's3', headers: unsignedHeaders };
        const { query: expected = {} } = await createSigner('s3', signing).presign(
          {
            ...toSmithyRequest('PUT', url),
            headers: { host: url.host, ...unsignedHeaders, 'x-amz-content-sha256': hashOfBody },
          },
          {
            expiresIn: 300,
            unhoistableHeaders: new Set(Object.keys(unsignedHeaders)),
            signingDate: new Date(signing.now),
          },
        );
        const signed = await signUrl(request, hashOfBody, 300);
        expect(Object.fromEntries(signed.searchParams)).toEqual(expected);
      },
    ),
  );
});
