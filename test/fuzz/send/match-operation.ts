import { METHODS } from 'node:http';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';

const rows: readonly Operation[] = operations;

export function findOperation(method: string, target: string): Operation | undefined {
  const path = pathOf(target).replace(/\/+$/, '');
  return rows.find(
    (row) =>
      row.method === method &&
      new RegExp(`^${row.path.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`).test(path),
  );
}

/** Returns the path of a request target. In a request to a proxy, the target is a full URL. */
function pathOf(target: string): string {
  if (target.startsWith('/')) return target.split('?')[0] ?? '';
  return URL.canParse(target) ? new URL(target).pathname : '/';
}

/** Maximum size of the request target and headers, below the local server's limit of 64 KiB. */
const maxHeadBytes = 60_000;

/**
 * Reports whether the request is valid HTTP (RFC 9110) with a head below `maxHeadBytes`. The server
 * may reject other requests without an error body.
 */
export function isValidHttp(
  method: string,
  target: string,
  headers: readonly [string, string][],
): boolean {
  return (
    METHODS.includes(method) &&
    /^[\x21-\x7e]+$/.test(target) &&
    (target.startsWith('/') || URL.canParse(target)) &&
    headers.every(
      ([name, value]) =>
        /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
    ) &&
    headers.reduce((size, [name, value]) => size + name.length + value.length + 4, target.length) <
      maxHeadBytes
  );
}
