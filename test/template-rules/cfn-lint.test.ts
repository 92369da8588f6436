import { describe, expect, test } from '@jest/globals';
import { thoroughTest } from '../support/setup/sample-size.ts';
import { lintErrors, missingReason } from '../support/template/cfn-lint.ts';
import { getTemplate } from '../support/template/get-template.ts';
import { stageVariants } from '../support/template/stage-variants.ts';

const title = 'cfn-lint';

(missingReason ? describe.skip : describe)(
  missingReason ? `${title}: ${missingReason}` : title,
  () => {
    // Together, these stages have all options that add resources. cfn-lint takes half a minute per
    // stage.
    const chosen = ['dev', 'everything', 'everything-pool', 'everything-restored'];
    const stages = stageVariants.filter(([name]) => chosen.includes(name));

    thoroughTest.each(stages)('reports no error for stage %s', (name, stage) => {
      expect(lintErrors({ Resources: {}, ...getTemplate(name, stage).toJSON() })).toEqual([]);
    });

    test('checks every selected stage', () => {
      expect(stages.map(([name]) => name)).toEqual(chosen);
    });

    test('reports an invalid template', () => {
      const Resources = {
        Queue: { Type: 'AWS::SQS::Queue', Properties: { DelaySeconds: 901, Name: 'queue' } },
        Circle: { Type: 'AWS::SNS::Topic', DependsOn: 'Circle' },
      };
      const rules = lintErrors({ Resources }).map((line) => line.split(':')[0]);
      expect(rules).toEqual(
        expect.arrayContaining([
          'E3002 Resources.Queue.Properties.Name',
          'E3034 Resources.Queue.Properties.DelaySeconds',
        ]),
      );
    });
  },
);
