import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from '../shared/env.ts';
import { type ReferenceFiles, toReferenceReply } from '../shared/http/reference-reply.ts';
import { servePublic } from '../shared/http/serve-public.ts';

const folder = join(env('LAMBDA_TASK_ROOT'), 'files');
const files: ReferenceFiles = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8'));
const contents = new Map<string, string>();

/** Serves the reference, which needs no token, from files bundled with the function. */
export const handler = servePublic('docs', (event) => toReferenceReply(event, files, read));

function read(name: string): string {
  const content = contents.get(name) ?? readFileSync(join(folder, name), 'utf8');
  contents.set(name, content);
  return content;
}
