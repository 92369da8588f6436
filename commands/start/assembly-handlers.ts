import { join } from 'node:path';
import * as v from 'valibot';
import { handlerMetadataKey } from '../../lib/handler-metadata-key.ts';
import type { Assembly } from '../../lib/synthesis/template.ts';

/** The functions of an assembly. A path is relative to functions/ and omits `.ts`. */
export interface AssemblyHandlers {
  paths: readonly string[];
  getLogicalId(path: string): string;
  getBundleFolder(path: string): string;
}

const Properties = v.object({ Code: v.object({ S3Key: v.string() }) });

export function readHandlers({ template, directory }: Assembly): AssemblyHandlers {
  const byPath = new Map(
    Object.entries(template.Resources).flatMap(([id, { Metadata, Properties }]) => {
      const path = Metadata?.[handlerMetadataKey];
      return path === undefined ? [] : [[path, { id, Properties }] as const];
    }),
  );
  const findHandler = (path: string) => {
    const resource = byPath.get(path);
    if (!resource) throw new Error(`The stack has no function for ${path}.`);
    return resource;
  };
  return {
    paths: [...byPath.keys()],
    getLogicalId: (path) => findHandler(path).id,
    getBundleFolder: (path) => {
      const { Code } = v.parse(Properties, findHandler(path).Properties);
      return join(directory, `asset.${Code.S3Key.replace(/\.zip$/, '')}`);
    },
  };
}
