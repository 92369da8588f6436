import { METHODS } from 'node:http';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/contract/operations.ts';

const rows: readonly Operation[] = operations;

/** The operation that a request reaches, if any: its method and path are those of the row. */
export function findOperation(method: string, target: string): Operation | undefined {
  const path = pathOf(target).replace(/\/+$/, '');
  return rows.find(
    (row) =>
      row.method === method && new RegExp(`^${row.path.replace(/\{[^}]*\}/, '[^/]+')}$`).test(path),
  );
}

/** A client that takes the server for a proxy sends the whole address. */
function pathOf(target: string): string {
  if (target.startsWith('/')) return target.split('?')[0] ?? '';
  return URL.canParse(target) ? new URL(target).pathname : '/';
}

/** More than a server of HTTP takes, before anybody asks what it means. */
const maxHeadBytes = 60_000;

/** Whether it is a request of HTTP at all, which RFC 9110 lets through. What is not may be refused without our words. */
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
