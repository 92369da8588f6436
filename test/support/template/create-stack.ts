import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import * as v from 'valibot';
import { functionPaths } from '../../../lib/function-paths.ts';
import { MessagingStack } from '../../../lib/messaging-stack.ts';
import type { Stage } from '../../../lib/stages.ts';

const { context } = v.parse(
  v.object({ context: v.record(v.string(), v.unknown()) }),
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../cdk.json'), 'utf8')),
);

/**
 * Returns the stack of a stage with placeholder bundles. Loads the CDK, which takes several
 * seconds. For templates, use getTemplate, which caches them.
 */
export function createStack(stageName: string, stage: Stage, commit?: string): MessagingStack {
  const bundles = mkdtempSync(join(tmpdir(), 'messaging-no-bundles-'));
  for (const path of functionPaths) {
    mkdirSync(join(bundles, path), { recursive: true });
    writeFileSync(join(bundles, path, 'index.js'), `// ${path}`);
  }
  const app = new App({ analyticsReporting: false, context });
  const { account, region } = stage;
  const env = { ...(account && { account }), ...(region && { region }) };
  const props = { stageName, stage, commit, bundles, env };
  const stack = new MessagingStack(app, `messaging-${stageName}`, props);
  // The CDK has copied the bundles.
  rmSync(bundles, { recursive: true });
  return stack;
}
