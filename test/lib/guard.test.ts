import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Stack } from 'aws-cdk-lib';
import { controlTowerFindings, whyNotHere } from '../support/control-tower.ts';
import { everyStage } from '../support/every-stage.ts';
import { acknowledgementsIn, answered, compared, type Finding } from '../support/findings.ts';
import { describeOfAll } from '../support/size.ts';
import { stackOf } from '../support/stack-of.ts';

const title = 'A second opinion, by the controls of AWS Control Tower';

(whyNotHere ? describe.skip : describeOfAll)(whyNotHere ? `${title}: ${whyNotHere}` : title, () => {
  const stacks = new Map<string, Stack>();
  let findings: Finding[];

  beforeAll(() => {
    for (const [name, stage] of everyStage) stacks.set(name, stackOf(name, stage));
    findings = controlTowerFindings([...stacks.values()]);
  }, 300_000);

  test.each(everyStage)('stage %s keeps each of them, or says why not', (name) => {
    const stack = stacks.get(name);
    if (!stack) throw new Error(`There is no stack ${name}`);
    const own = findings.filter(({ at }) => at.startsWith(`${stack.node.path}/`));
    expect(own.length).toBeGreaterThan(0);
    expect(compared(own, acknowledgementsIn(stack, 'CT.'))).toEqual(answered);
  });

  test('and all that they found is of one of the stages', () => {
    expect(findings.filter(({ at }) => !at.startsWith('messaging-'))).toEqual([]);
  });
});
