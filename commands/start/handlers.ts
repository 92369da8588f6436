import { join } from 'node:path';
import * as v from 'valibot';
import { handlerMetadataKey } from '../../lib/handler-metadata-key.ts';
import type { Assembly } from '../../lib/synthesis/template.ts';

/** Returns the functions of an assembly, by their paths below functions/ without `.ts`. */
export interface Handlers {
  paths: readonly string[];
  /** The logical id of the function. */
  idOf(path: string): string;
  /** The folder of its bundle. */
  folderOf(path: string): string;
}

const Properties = v.object({ Code: v.object({ S3Key: v.string() }) });

export function handlersIn({ template, directory }: Assembly): Handlers {
  const byPath = new Map(
    Object.entries(template.Resources).flatMap(([id, { Metadata, Properties }]) => {
      const path = Metadata?.[handlerMetadataKey];
      return path === undefined ? [] : [[path, { id, Properties }] as const];
    }),
  );
  const handler = (path: string) => {
    const found = byPath.get(path);
    if (!found) throw new Error(`The stack has no function for ${path}.`);
    return found;
  };
  return {
    paths: [...byPath.keys()],
    idOf: (path) => handler(path).id,
    folderOf: (path) => {
      const { Code } = v.parse(Properties, handler(path).Properties);
      return join(directory, `asset.${Code.S3Key.replace(/\.zip$/, '')}`);
    },
  };
}
