import type { Operation } from '../../../shared/contract/operation.ts';
import type { Credential } from '../values/credentials.ts';
import type { Header } from '../values/hostile-headers.ts';

export type Body =
  | { kind: 'none' }
  /** Written out as JSON, or as the form that means the same. */
  | { kind: 'json' | 'form'; fields: unknown }
  /** Bytes, as one character each. */
  | { kind: 'bytes'; contentType: string | undefined; bytes: string };

/** A request before its place-holders are filled in. */
export interface RequestTemplate {
  row: Operation;
  intent: 'valid' | 'nearly' | 'hostile';
  credential: Credential;
  method: string;
  /** What stands in the path in the place of its parameter; on the line as it is, if `raw`. */
  segment: { value: string; raw: boolean } | undefined;
  /** Where it is no path of the API. */
  path?: string;
  query: Record<string, unknown> | string;
  headers: Header[];
  body: Body;
  chunked: boolean;
}
