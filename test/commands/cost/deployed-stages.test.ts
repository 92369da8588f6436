import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { createBill } from '../../../commands/cost/bill.ts';
import { getCost } from '../../../commands/cost/prices.ts';
import { readStackFacts } from '../../../commands/cost/stack-facts.ts';
import { getStage } from '../../../lib/stages.ts';
import { Template } from '../../../lib/synthesis/template.ts';
import { calculateBill } from '../../benchmark/bill-benchmark.ts';
import { getTemplate } from '../../support/template/get-template.ts';

const readTemplate = (name: string) =>
  v.parse(Template, getTemplate(name, getStage(name)).toJSON());
const readFacts = (name: string) => readStackFacts(readTemplate(name));
const text = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

describe('The bill for a stage', () => {
  const prod = readFacts('prod');

  test('uses the template’s user pool plan, sampling rule and number of metrics', () => {
    expect(prod).toMatchObject({
      users: 'activeUsersLite',
      traces: { perSecond: 0, share: 0.01 },
      monthly: { customMetrics: 12 },
    });
  });

  test('includes a firewall in prod, at the documented price', () => {
    const { webAcls = 0, wafRules = 0 } = prod.monthly;
    expect({ webAcls, wafRules }).toEqual({ webAcls: 1, wafRules: 7 });
    const monthly = getCost('webAcls', webAcls, true) + getCost('wafRules', wafRules, true);
    const perMillion = getCost('wafRequests', 1_000_000, true).toFixed(2);
    const price = `$${monthly} a month and $${perMillion} per million requests`;
    for (const path of ['lib/stages.ts', 'docs/cost.md']) {
      expect([path, text(path).replace(/\s+(\* )?/g, ' ')]).toEqual([
        path,
        expect.stringContaining(price),
      ]);
    }
  });

  test('matches the costs of events in docs/cost.md', () => {
    const page = text('docs/cost.md').replace(/\s+/g, ' ');
    const createBillWith = (listeners: number, hasEvents: boolean) =>
      createBill(
        { ...prod, hasEvents },
        { requests: new Map(), storedGb: 0, activeUsers: 0, listeners, listeningHours: 0 },
        false,
      );
    const toRow = (listeners: number, hasEvents = true) => {
      const { perMillion } = createBillWith(listeners, hasEvents);
      const { byService, usd } = perMillion.find((row) => row.of === 'messages/send') ?? {};
      const { DynamoDB = 0, AppSync = 0 } = byService ?? {};
      const [table, push, all] = [DynamoDB, AppSync, usd ?? 0].map((one) => `$${one.toFixed(2)}`);
      return `| ${table} | ${AppSync === 0 ? 'none' : push} | ${all} |`;
    };
    expect(page).toContain(`\`events: false\` ${toRow(0, false)}`);
    expect(page).toContain(`no listeners ${toRow(0)}`);
    expect(page).toContain(`2 connections ${toRow(2)}`);
    expect(page).toContain(`30 connections ${toRow(30)}`);
    const { usd = 0, byService } = createBillWith(0, true).listening ?? {};
    expect(page).toContain(`$${usd.toFixed(2)} for a million hours`);
    expect(page).toContain(`AppSync accounts for $${byService?.AppSync?.toFixed(2)}`);
  });

  test('matches docs/cost.md for a month with ten thousand people and for a million sends', () => {
    const page = text('docs/cost.md').replace(/\s+/g, ' ');
    const [sends, sendsWithAll, people] = calculateBill(readTemplate('prod')).rows.map(
      ({ values: [usd = 0] }) => usd,
    );
    expect(page).toContain(`prints $${people?.toFixed(0)} for a month`);
    expect(page).toContain(
      `A million sends cost $${sends?.toFixed(2)} without events and firewall (goal: $9), and $${sendsWithAll?.toFixed(2)} with both`,
    );
  });

  test('includes events, read receipts and attachments if the stage has them', () => {
    const enabled = { hasEvents: true, hasReadReceipts: true, hasAttachments: true };
    expect(prod).toMatchObject(enabled);
    const disabled = { events: false, readReceipts: false, attachments: false } as const;
    const template = getTemplate('without-features', { ...getStage('prod'), ...disabled }).toJSON();
    expect(readStackFacts(v.parse(Template, template))).toMatchObject({
      ...{ hasEvents: false, hasReadReceipts: false, hasAttachments: false },
    });
  });

  test('includes a trace of every request in dev, and no firewall', () => {
    expect(readFacts('dev')).toMatchObject({
      monthly: { webAcls: 0, wafRules: 0 },
      traces: { share: 1 },
    });
  });
});
