import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { MessagingStack } from '../../lib/messaging-stack.ts';
import type { Stage } from '../../lib/stages.ts';
import { operations } from '../../shared/contract/operations.ts';

/** The template of a stage, with empty bundles: it takes no time to make. */
export function templateOf(stageName: string, stage: Stage): Template {
  const bundles = mkdtempSync(join(tmpdir(), 'messaging-no-bundles-'));
  for (const path of ['authorizer', 'purge', ...operations.map(({ id }) => id)]) {
    mkdirSync(join(bundles, path), { recursive: true });
    writeFileSync(join(bundles, path, 'index.js'), `// ${path}`);
  }
  const app = new App({ analyticsReporting: false });
  return Template.fromStack(
    new MessagingStack(app, `messaging-${stageName}`, { stageName, stage, bundles }),
  );
}
