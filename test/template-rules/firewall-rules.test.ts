import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { ruleGroups } from '../../lib/constructs/api/managed-rules.ts';
import { getStage } from '../../lib/stages.ts';
import { getTemplate } from '../support/template/get-template.ts';

const [acl] = Object.values(
  getTemplate('prod', getStage('prod')).findResources('AWS::WAFv2::WebACL'),
);
const { Rules } = v.parse(v.object({ Rules: v.array(v.looseObject({})) }), acl?.Properties);

const Group = v.object({
  OverrideAction: v.strictObject({ Count: v.strictObject({}) }),
  Statement: v.object({
    ManagedRuleGroupStatement: v.object({
      VendorName: v.literal('AWS'),
      Name: v.string(),
      RuleActionOverrides: v.array(
        v.object({
          Name: v.string(),
          ActionToUse: v.strictObject({ Count: v.strictObject({}) }),
        }),
      ),
    }),
  }),
});
const Attacks = v.object({
  Action: v.strictObject({ Block: v.strictObject({}) }),
  Statement: v.object({
    OrStatement: v.object({
      Statements: v.array(
        v.object({ LabelMatchStatement: v.object({ Scope: v.literal('LABEL'), Key: v.string() }) }),
      ),
    }),
  }),
});

/**
 * Labels for which the firewall blocks a request. The rule groups themselves only count requests.
 */
const refused = Rules.flatMap((rule) =>
  v.is(Attacks, rule)
    ? rule.Statement.OrStatement.Statements.map(({ LabelMatchStatement: { Key } }) => Key)
    : [],
);
const groups = Rules.flatMap((rule) =>
  v.is(Group, rule) ? [rule.Statement.ManagedRuleGroupStatement] : [],
);

describe('AWS’s managed rules', () => {
  test('only count requests, so a rule that AWS adds later blocks no message', () => {
    expect(groups.map(({ Name }) => Name)).toEqual(ruleGroups.map(({ name }) => name));
    const managed = Rules.filter((rule) => JSON.stringify(rule).includes('ManagedRuleGroup'));
    expect(managed).toHaveLength(groups.length);
  });

  test.each(ruleGroups.map((group) => [group.name, group] as const))(
    '%s: rules that inspect bodies or queries block no request',
    (name, { rules, labels }) => {
      const counted = groups
        .find(({ Name }) => Name === name)
        ?.RuleActionOverrides.map(({ Name }) => Name);
      for (const [rule, label] of Object.entries(rules)) {
        if (!/BODY|QUERY/i.test(rule)) continue;
        expect(refused).not.toContain(`${labels}:${label}`);
        expect(counted).toContain(rule);
      }
      // No rule may block requests based on a label about bodies or queries, even if `ruleGroups`
      // lacks the label.
      expect(refused.filter((label) => /Body|Query/i.test(label))).toEqual([]);
    },
  );

  test('cause requests to be blocked for their address, path, method or headers, but not for a missing User-Agent', () => {
    expect(refused.map((label) => label.split(':').slice(3).join(':'))).toEqual([
      'amazon-ip-list:AWSManagedIPReputationList',
      'amazon-ip-list:AWSManagedReconnaissanceList',
      'core-rule-set:BadBots_Header',
      'core-rule-set:SizeRestrictions_Cookie_Header',
      'core-rule-set:SizeRestrictions_URIPath',
      'core-rule-set:EC2MetaDataSSRF_Cookie',
      'core-rule-set:EC2MetaDataSSRF_URIPath',
      'core-rule-set:GenericLFI_URIPath',
      'core-rule-set:RestrictedExtensions_URIPath',
      'core-rule-set:GenericRFI_URIPath',
      'core-rule-set:CrossSiteScripting_Cookie',
      'core-rule-set:CrossSiteScripting_URIPath',
      'known-bad-inputs:JavaDeserializationRCE_Header',
      'known-bad-inputs:JavaDeserializationRCE_URIPath',
      'known-bad-inputs:Host_Localhost_Header',
      'known-bad-inputs:Propfind_Method',
      'known-bad-inputs:ExploitablePaths_URIPath',
      'known-bad-inputs:Log4JRCE_Header',
      'known-bad-inputs:Log4JRCE_URIPath',
    ]);
  });

  test('precede the rule that blocks by label', () => {
    const last = Rules.at(-1);
    expect(v.is(Attacks, last)).toBe(true);
    expect(last?.Priority).toBe(Math.max(...Rules.map(({ Priority }) => Number(Priority))));
  });

  test('together with the other rules, use at most the 1,500 capacity units included in the base price', () => {
    const ofGroups = ruleGroups.reduce((sum, { capacity }) => sum + capacity, 0);
    // Web ACL capacity units from AWS's list: exact match 2, rate limit 2, custom key of a rate
    // limit 30, text transformation 10, label match 1.
    expect(ofGroups + 2 * 2 + 2 + (2 + 30 + 2 * 10) + refused.length).toBeLessThanOrEqual(1500);
  });
});

test('Only POST requests to the push API’s host name bypass the rate limits', () => {
  const admitted = Rules.filter(({ Action }) => JSON.stringify(Action) === '{"Allow":{}}');
  const exactly = { PositionalConstraint: 'EXACTLY', TextTransformations: [expect.anything()] };
  expect(admitted.map(({ Priority, Statement }) => [Priority, Statement])).toEqual([
    [
      0,
      {
        AndStatement: {
          Statements: [
            {
              ByteMatchStatement: {
                ...exactly,
                FieldToMatch: { SingleHeader: { Name: 'host' } },
                SearchString: { 'Fn::GetAtt': [expect.stringMatching(/^Push/), 'Dns.Http'] },
              },
            },
            {
              ByteMatchStatement: {
                ...exactly,
                FieldToMatch: { Method: {} },
                SearchString: 'POST',
              },
            },
          ],
        },
      },
    ],
  ]);
});
