import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';

/** The version that the checks workflow installs. */
export const cfnLintVersion = '1.51.0';

/** Reason for skipping the test; `undefined` if cfn-lint is installed. */
export const missingReason: string | undefined =
  spawnSync('cfn-lint', ['--version']).status === 0
    ? undefined
    : `cfn-lint is not installed (pipx install cfn-lint==${cfnLintVersion})`;

const Findings = v.array(
  v.object({
    Rule: v.object({ Id: v.string() }),
    Message: v.string(),
    Location: v.object({ Path: v.array(v.union([v.string(), v.number()])) }),
  }),
);

/** False positives: valid properties that are missing from cfn-lint's copy of the schemas. */
const ignoredFindings: readonly { rule: string; type: string; property: string }[] = [
  { rule: 'E3002', type: 'AWS::CloudWatch::Dashboard', property: 'Tags' },
];

interface Template {
  Resources: Readonly<Record<string, { Type: string }>>;
}

/**
 * Returns the errors that cfn-lint reports for the template in two regions. Omits warnings and
 * informational findings, which concern style.
 */
export function lintErrors(template: Template): string[] {
  const file = join(mkdtempSync(join(tmpdir(), 'messaging-cfn-lint-')), 'template.json');
  writeFileSync(file, JSON.stringify(template));
  const options = ['--regions', 'us-east-1', 'eu-central-1', '--ignore-checks', 'W', 'I'];
  const { stdout, stderr } = spawnSync(
    'cfn-lint',
    ['--format', 'json', ...options, '--template', file],
    { encoding: 'utf8' },
  );
  if (stdout === '') throw new Error(`cfn-lint: ${stderr}`);
  return v.parse(Findings, JSON.parse(stdout)).flatMap(({ Rule, Message, Location: { Path } }) => {
    const [, id = '', , property] = Path;
    const isTooStrict = ignoredFindings.some(
      (one) =>
        one.rule === Rule.Id &&
        one.property === property &&
        one.type === template.Resources[id]?.Type,
    );
    return isTooStrict ? [] : [`${Rule.Id} ${Path.join('.')}: ${Message}`];
  });
}
