import { env } from '../env.ts';

/** AWS domains by region prefix; other regions use `amazonaws.com`. */
const domains = { 'cn-': 'amazonaws.com.cn', 'eusc-': 'amazonaws.eu' };

/** Returns AWS_ENDPOINT_URL_<SERVICE> or, by default, the URL of the service in this region. */
export function getServiceUrl(service: string): URL {
  const replacement = process.env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`];
  const region = env('AWS_REGION');
  const [, domain] = Object.entries(domains).find(([start]) => region.startsWith(start)) ?? [];
  return new URL(replacement ?? `https://${service}.${region}.${domain ?? 'amazonaws.com'}`);
}
