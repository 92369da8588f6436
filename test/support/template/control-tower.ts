import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CfnGuardValidator } from '@cdklabs/cdk-validator-cfnguard';
import { App, CfnResource, type Stack } from 'aws-cdk-lib';
import type { Finding } from './acknowledged-findings.ts';

const binaries = join(
  createRequire(import.meta.url).resolve('@cdklabs/cdk-validator-cfnguard/package.json'),
  '../bin',
);
const folders: Readonly<Record<string, string>> = {
  'linux-x64': 'ubuntu/x86_64',
  'linux-arm64': 'ubuntu/aarch64',
  'darwin-x64': 'macos/x86_64',
  'darwin-arm64': 'macos/aarch64',
};

const platform = `${process.platform}-${process.arch}`;

/** Reason for skipping the test. Undefined if cfn-guard is installed for this platform. */
export const missingReason: string | undefined = existsSync(
  join(binaries, folders[platform] ?? platform, 'cfn-guard'),
)
  ? undefined
  : `cfn-guard is not available for ${platform}`;

export function controlTowerFindings(stacks: readonly Stack[]): Finding[] {
  const templates = new Map(stacks.map((stack) => [templateFile(stack), stack]));
  // Validates all stacks in one run, because loading the rules takes most of the time.
  const { violations } = new CfnGuardValidator({ maxBuffer: 2 ** 28 }).validate({
    templatePaths: [...templates.keys()],
    appConstruct: new App(),
  });
  return violations.flatMap(({ description, violatingResources }) => {
    const [, rule = description] = /^\[([\w.]+)\]/.exec(description) ?? [];
    return violatingResources.map(({ resourceLogicalId, templatePath }) => ({
      rule,
      at: pathOf(templates.get(templatePath), resourceLogicalId),
    }));
  });
}

function templateFile(stack: Stack): string {
  const { node } = stack;
  if (!App.isApp(node.root)) throw new Error(`The stack ${node.path} does not belong to an app.`);
  return join(node.root.synth().directory, stack.templateFile);
}

function pathOf(stack: Stack | undefined, logicalId: string): string {
  const found = stack?.node
    .findAll()
    .find((one) => CfnResource.isCfnResource(one) && stack.resolve(one.logicalId) === logicalId);
  return found?.node.path ?? logicalId;
}
