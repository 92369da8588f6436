import { env } from '../env.ts';

/** Returns the URL of an AWS service in the function's region, or of a server that replaces it. */
export function getServiceUrl(service: string): URL {
  const replacement = process.env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`];
  const region = env('AWS_REGION');
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return new URL(replacement ?? `https://${service}.${region}.${suffix}`);
}
