/**
 * Rules of AWS's managed rule groups, each with the label that it adds to a request. Source:
 * "Baseline rule groups" and "IP reputation rule groups" in the AWS WAF developer guide (core rule
 * set 1.19, known bad inputs with the React rule of December 2025).
 */
export const ruleGroups = [
  {
    name: 'AWSManagedRulesAmazonIpReputationList',
    labels: 'awswaf:managed:aws:amazon-ip-list',
    capacity: 25,
    rules: {
      AWSManagedIPReputationList: 'AWSManagedIPReputationList',
      AWSManagedReconnaissanceList: 'AWSManagedReconnaissanceList',
      AWSManagedIPDDoSList: 'AWSManagedIPDDoSList',
    },
  },
  {
    name: 'AWSManagedRulesCommonRuleSet',
    labels: 'awswaf:managed:aws:core-rule-set',
    capacity: 700,
    rules: {
      NoUserAgent_HEADER: 'NoUserAgent_Header',
      UserAgent_BadBots_HEADER: 'BadBots_Header',
      SizeRestrictions_QUERYSTRING: 'SizeRestrictions_QueryString',
      SizeRestrictions_Cookie_HEADER: 'SizeRestrictions_Cookie_Header',
      SizeRestrictions_BODY: 'SizeRestrictions_Body',
      SizeRestrictions_URIPATH: 'SizeRestrictions_URIPath',
      EC2MetaDataSSRF_BODY: 'EC2MetaDataSSRF_Body',
      EC2MetaDataSSRF_COOKIE: 'EC2MetaDataSSRF_Cookie',
      EC2MetaDataSSRF_URIPATH: 'EC2MetaDataSSRF_URIPath',
      EC2MetaDataSSRF_QUERYARGUMENTS: 'EC2MetaDataSSRF_QueryArguments',
      GenericLFI_QUERYARGUMENTS: 'GenericLFI_QueryArguments',
      GenericLFI_URIPATH: 'GenericLFI_URIPath',
      GenericLFI_BODY: 'GenericLFI_Body',
      RestrictedExtensions_URIPATH: 'RestrictedExtensions_URIPath',
      RestrictedExtensions_QUERYARGUMENTS: 'RestrictedExtensions_QueryArguments',
      GenericRFI_QUERYARGUMENTS: 'GenericRFI_QueryArguments',
      GenericRFI_BODY: 'GenericRFI_Body',
      GenericRFI_URIPATH: 'GenericRFI_URIPath',
      CrossSiteScripting_COOKIE: 'CrossSiteScripting_Cookie',
      CrossSiteScripting_QUERYARGUMENTS: 'CrossSiteScripting_QueryArguments',
      CrossSiteScripting_BODY: 'CrossSiteScripting_Body',
      CrossSiteScripting_URIPATH: 'CrossSiteScripting_URIPath',
    },
  },
  {
    name: 'AWSManagedRulesKnownBadInputsRuleSet',
    labels: 'awswaf:managed:aws:known-bad-inputs',
    capacity: 200,
    rules: {
      JavaDeserializationRCE_HEADER: 'JavaDeserializationRCE_Header',
      JavaDeserializationRCE_BODY: 'JavaDeserializationRCE_Body',
      JavaDeserializationRCE_URIPATH: 'JavaDeserializationRCE_URIPath',
      JavaDeserializationRCE_QUERYSTRING: 'JavaDeserializationRCE_QueryString',
      Host_localhost_HEADER: 'Host_Localhost_Header',
      PROPFIND_METHOD: 'Propfind_Method',
      ExploitablePaths_URIPATH: 'ExploitablePaths_URIPath',
      Log4JRCE_HEADER: 'Log4JRCE_Header',
      Log4JRCE_QUERYSTRING: 'Log4JRCE_QueryString',
      Log4JRCE_BODY: 'Log4JRCE_Body',
      Log4JRCE_URIPATH: 'Log4JRCE_URIPath',
      ReactJSRCE_BODY: 'ReactJSRCE_Body',
    },
  },
] as const;

/**
 * Rules that only count requests. In bodies, the rules would mistake users' text for attacks or
 * reject it as too long. Queries contain external ids and long cursors. Handlers validate bodies
 * and queries.
 */
const userTextRulePattern = /_(BODY|QUERYARGUMENTS|QUERYSTRING)$/;

/**
 * Other rules that only count requests. Clients without a User-Agent, such as scripts, are
 * legitimate. By default, AWS itself only counts matches of AWSManagedIPDDoSList, whose addresses
 * may have changed owners.
 */
const otherCountedRules = ['NoUserAgent_HEADER', 'AWSManagedIPDDoSList'];

export const isCountOnly = (rule: string): boolean =>
  userTextRulePattern.test(rule) || otherCountedRules.includes(rule);

/** Labels of the requests to block. */
export const blockedLabels: readonly string[] = ruleGroups.flatMap(({ labels, rules }) =>
  Object.entries(rules)
    .filter(([rule]) => !isCountOnly(rule))
    .map(([, label]) => `${labels}:${label}`),
);
