import type { Operation } from '../../../shared/contract/operation.ts';
import type { Credential } from '../values/credentials.ts';
import type { Header } from '../values/hostile-headers.ts';

export type Body =
  | { kind: 'none' }
  | { kind: 'json' | 'form'; fields: unknown }
  /** Body of arbitrary bytes. Each character of `bytes` represents one byte. */
  | { kind: 'bytes'; contentType: string | undefined; bytes: string };

/** A request before its placeholders are filled in. */
export interface RequestTemplate {
  row: Operation;
  intent: 'valid' | 'nearly' | 'hostile';
  credential: Credential;
  method: string;
  /** The path parameters. If `raw` is true, the first parameter is sent unescaped. */
  segment:
    | {
        value: string;
        raw: boolean;
        /** The second parameter, and the part of the path between the two parameters. */
        more?: { between: string; value: string };
      }
    | undefined;
  /** Unusual path that replaces the operation's path. */
  path?: string;
  query: Record<string, unknown> | string;
  headers: Header[];
  body: Body;
  chunked: boolean;
}
