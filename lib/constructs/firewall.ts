import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import {
  documentationUrl,
  errorCatalog,
  errorType,
  retryAfterSeconds,
} from '../../shared/contract/errors.ts';
import type { Stage } from '../stages.ts';

/**
 * AWS's own rules, without those that look into bodies: people write to each other what such rules take for an attack,
 * and longer messages than they allow. Handlers check bodies against their schemas.
 */
const managedRules = [
  { name: 'AWSManagedRulesAmazonIpReputationList', onlyCounted: [] },
  {
    name: 'AWSManagedRulesCommonRuleSet',
    onlyCounted: [
      'SizeRestrictions_BODY',
      'CrossSiteScripting_BODY',
      'GenericLFI_BODY',
      'GenericRFI_BODY',
      'EC2MetaDataSSRF_BODY',
      // Scripts and servers are welcome clients, with any User-Agent or none.
      'NoUserAgent_HEADER',
    ],
  },
  {
    name: 'AWSManagedRulesKnownBadInputsRuleSet',
    onlyCounted: ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY'],
  },
];

/** What the firewall itself answers whoever asks too often; it does not know the request's id. */
const tooMany = {
  type: errorType(errorCatalog.too_many_requests.status),
  code: 'too_many_requests',
  message: `${errorCatalog.too_many_requests.meaning} ${errorCatalog.too_many_requests.cure}`,
  param: null,
  request_id: 'firewall',
  documentation_url: documentationUrl('too_many_requests'),
};

/** A firewall before the API: so many requests of one token in five minutes, and AWS's rules. */
export function guard(
  scope: Construct,
  api: RestApi,
  { requestsPerFiveMinutes }: NonNullable<Stage['firewall']>,
): void {
  const visible = (metricName: string) => ({
    cloudWatchMetricsEnabled: true,
    sampledRequestsEnabled: false,
    metricName,
  });
  const acl = new CfnWebACL(scope, 'Firewall', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: visible('Firewall'),
    customResponseBodies: {
      tooMany: { contentType: 'APPLICATION_JSON', content: JSON.stringify(tooMany) },
    },
    rules: [
      {
        name: 'RequestsOfOneToken',
        priority: 0,
        action: {
          block: {
            customResponse: {
              responseCode: errorCatalog.too_many_requests.status,
              customResponseBodyKey: 'tooMany',
              responseHeaders: [
                { name: 'Retry-After', value: String(retryAfterSeconds.too_many_requests) },
              ],
            },
          },
        },
        statement: {
          rateBasedStatement: {
            limit: requestsPerFiveMinutes,
            aggregateKeyType: 'CUSTOM_KEYS',
            customKeys: [
              {
                header: {
                  name: 'Authorization',
                  textTransformations: [{ priority: 0, type: 'NONE' }],
                },
              },
            ],
          },
        },
        visibilityConfig: visible('RequestsOfOneToken'),
      },
      ...managedRules.map(({ name, onlyCounted }, n) => ({
        name,
        priority: n + 1,
        overrideAction: { none: {} },
        statement: {
          managedRuleGroupStatement: {
            vendorName: 'AWS',
            name,
            ruleActionOverrides: onlyCounted.map((rule) => ({
              name: rule,
              actionToUse: { count: {} },
            })),
          },
        },
        visibilityConfig: visible(name),
      })),
    ],
  });
  new CfnWebACLAssociation(scope, 'FirewallAssociation', {
    resourceArn: api.deploymentStage.stageArn,
    webAclArn: acl.attrArn,
  });
}
