import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Stack } from 'aws-cdk-lib';
import { thoroughDescribe } from '../support/setup/sample-size.ts';
import {
  compareFindings,
  type Finding,
  findAcknowledgements,
  noFindings,
} from '../support/template/acknowledged-findings.ts';
import { controlTowerFindings, missingReason } from '../support/template/control-tower.ts';
import { createStack } from '../support/template/create-stack.ts';
import { testStages } from '../support/template/stage-variants.ts';

const title = 'With the proactive controls of AWS Control Tower';

(missingReason ? describe.skip : thoroughDescribe)(
  missingReason ? `${title}: ${missingReason}` : title,
  () => {
    const stacks = new Map<string, Stack>();
    let findings: Finding[];

    beforeAll(() => {
      for (const [name, stage] of testStages) stacks.set(name, createStack(name, stage));
      findings = controlTowerFindings([...stacks.values()]);
    }, 300_000);

    test.each(testStages)(
      'stage %s has only acknowledged findings, and every acknowledgement matches a finding',
      (name) => {
        const stack = stacks.get(name);
        if (!stack) throw new Error(`Stack ${name} does not exist.`);
        const own = findings.filter(({ at }) => at.startsWith(`${stack.node.path}/`));
        expect(own.length).toBeGreaterThan(0);
        expect(compareFindings(own, findAcknowledgements(stack, 'CT.'))).toEqual(noFindings);
      },
    );

    test('every finding is in a stack whose name begins with messaging-', () => {
      expect(findings.filter(({ at }) => !at.startsWith('messaging-'))).toEqual([]);
    });
  },
);
