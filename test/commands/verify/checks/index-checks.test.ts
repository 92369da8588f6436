import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { indexChecks } from '../../../../commands/verify/checks/index-checks.ts';
import { runCheck } from '../../../../commands/verify/target/check.ts';
import { findTarget } from '../../../../commands/verify/target/target.ts';
import { readAssembly } from '../../../../lib/synthesis/synthesis.ts';
import { Template } from '../../../../lib/synthesis/template.ts';
import type { Cloud } from '../../../../local-cloud/cloud.ts';
import { env } from '../../../../shared/env.ts';
import { temporaryFolder } from '../../../local-cloud/small-stack.ts';
import { raiseTimeouts } from '../../../support/processes/raise-timeouts.ts';
import { startTestCloud } from '../../../support/processes/start-test-cloud.ts';

const Statements = v.array(
  v.looseObject({ Resource: v.unknown(), Condition: v.optional(v.unknown()) }),
);
const Role = v.looseObject({
  Policies: v.optional(
    v.array(v.looseObject({ PolicyDocument: v.looseObject({ Statement: Statements }) })),
    [],
  ),
});

let cloud: Cloud;
afterEach(() => cloud.stop());

/** Runs the checks on a stack whose index grants have the given IAM condition, or none. */
async function checkWithCondition(condition: unknown) {
  const directory = temporaryFolder();
  await cp(env('TEST_ASSEMBLY'), directory, { recursive: true });
  const files = await readdir(directory);
  const file = join(directory, files.find((name) => name.endsWith('.template.json')) ?? '');
  const template = v.parse(Template, JSON.parse(await readFile(file, 'utf8')));
  for (const resource of Object.values(template.Resources)) {
    if (resource.Type !== 'AWS::IAM::Role') continue;
    const role = v.parse(Role, resource.Properties);
    const statements = role.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    for (const statement of statements) {
      if (!JSON.stringify(statement.Resource).includes('/index/')) continue;
      if (condition === undefined) delete statement.Condition;
      else statement.Condition = condition;
    }
    resource.Properties = role;
  }
  await writeFile(file, JSON.stringify(template));
  const assembly = raiseTimeouts(await readAssembly(directory));
  cloud = await startTestCloud({ dataDirectory: directory, assembly });
  const target = await findTarget({
    local: true,
    directory,
    yesProd: false,
    environment: {},
  });
  const findings = [];
  for (const check of indexChecks(target)) findings.push(await runCheck(check));
  return findings.map(({ check, state, seen, cure = '' }) => ({ check, state, seen, cure }));
}

describe('The leading-key checks', () => {
  test('report failures and the remedy if the grants reject queries by the index’s key', async () => {
    const findings = await checkWithCondition({ Null: { 'dynamodb:LeadingKeys': 'true' } });
    const queries = findings.slice(0, 4);
    expect(queries.map(({ state, seen }) => [state, seen])).toEqual(
      Array(4).fill(['failed', '500 internal_error']),
    );
    for (const { cure } of queries) {
      expect(cure).toContain(
        'In lib/constructs/functions/table-statements.ts, use onlyKeys only for statements without an index',
      );
    }
    expect(findings.at(-1)).toMatchObject({ state: 'ok', seen: '200' });
  });

  test('report a failure if an operation may query other partitions', async () => {
    const findings = await checkWithCondition(undefined);
    expect(findings.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok', 'failed', 'ok']);
    expect(findings[4]?.seen).toContain('business/list may query gsi1 for [SOMETHING#ELSE]');
  });
});
