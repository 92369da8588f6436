import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { clock } from '../clock.ts';
import { env } from '../env.ts';
import { defaultProvider } from './credentials.ts';

export interface UnsignedRequest {
  /** Name of the AWS service in signatures. */
  service: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Returns the signed headers of a POST to AWS. The DynamoDB client bundles both packages. */
export async function getSignedHeaders({ service, url, headers, body }: UnsignedRequest) {
  const { protocol, host, pathname } = url;
  const signer = new SignatureV4({
    service,
    region: env('AWS_REGION'),
    credentials: defaultProvider(),
    sha256: Sha256,
  });
  const request = {
    method: 'POST',
    protocol,
    hostname: host,
    path: pathname,
    headers: { host, ...headers },
    body,
  };
  const signed = await signer.sign(request, { signingDate: new Date(clock.now()) });
  // The HTTP client sets it.
  const { host: _, ...others } = signed.headers;
  return others;
}
