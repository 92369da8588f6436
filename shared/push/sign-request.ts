import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { clock } from '../clock.ts';
import { defaultProvider } from '../credentials.ts';
import { env } from '../env.ts';

/** Returns the signed headers of a POST to AppSync. The DynamoDB client bundles both packages. */
export async function getSignedHeaders({ protocol, host, pathname }: URL, body: string) {
  const signer = new SignatureV4({
    service: 'appsync',
    region: env('AWS_REGION'),
    credentials: defaultProvider(),
    sha256: Sha256,
  });
  const request = {
    method: 'POST',
    protocol,
    hostname: host,
    path: pathname,
    headers: { host, 'content-type': 'application/json' },
    body,
  };
  const { headers } = await signer.sign(request, { signingDate: new Date(clock.now()) });
  // The HTTP client sets it.
  const { host: _, ...others } = headers;
  return others;
}
