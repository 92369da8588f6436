import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { Template } from '../../../lib/assembly/template.ts';
import { costOf } from '../../../lib/cost/prices.ts';
import { stackFacts } from '../../../lib/cost/stack-facts.ts';
import { stageNamed } from '../../../lib/stages.ts';
import { templateOf } from '../../support/template-of.ts';

const factsOf = (name: string) =>
  stackFacts(v.parse(Template, templateOf(name, stageNamed(name)).toJSON()));
const text = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

describe('What the bill says of prod is what is deployed there', () => {
  const prod = factsOf('prod');

  test('the plan of its user pool, and which requests are traced', () => {
    expect(prod).toMatchObject({
      users: 'activeUsersLite',
      traces: { perSecond: 1, share: 0.01 },
      monthly: { customMetrics: 12 },
    });
  });

  test('a firewall, at the price that is written beside it', () => {
    const { webAcls = 0, wafRules = 0 } = prod.monthly;
    expect({ webAcls, wafRules }).toEqual({ webAcls: 1, wafRules: 6 });
    const monthly = costOf('webAcls', webAcls, true) + costOf('wafRules', wafRules, true);
    const perMillion = costOf('wafRequests', 1_000_000, true).toFixed(2);
    const price = `$${monthly} a month and $${perMillion} per million requests`;
    for (const path of ['lib/stages.ts', 'docs/cost.md', 'docs/deploy.md']) {
      expect([path, text(path).replace(/\s+(\* )?/g, ' ')]).toEqual([
        path,
        expect.stringContaining(price),
      ]);
    }
  });

  test('dev has no firewall, and all of its requests are traced', () => {
    expect(factsOf('dev')).toMatchObject({
      monthly: { webAcls: 0, wafRules: 0 },
      traces: { share: 1 },
    });
  });
});
