/**
 * Who may import whom, types included. What is forbidden here is what the folders promise: each knows one outside thing,
 * and arrows go one way.
 */

/** Everything but what is named, by the beginnings of the paths. */
const but = (...beginnings) => ({ pathNot: `^(${beginnings.join('|')})` });
const of = (...beginnings) => ({ path: `^(${beginnings.join('|')})` });
const packages = (...names) => `node_modules/(${names.join('|')})`;

const rules = {
  'the contract knows nothing but valibot and itself': [
    of('shared/contract/'),
    but('shared/contract/', packages('valibot')),
  ],
  'what all of shared may use uses nothing but the contract and the log': [
    of('shared/[^/]+$', 'shared/log/'),
    of('shared/(http|table|stream|deploys|push)/', packages('')),
  ],
  'the log knows nothing of the contract': [of('shared/log/'), of('shared/contract/')],
  'shared/http knows API Gateway, and of the table only the counts of requests': [
    of('shared/http/'),
    of('shared/(table/(?!request-counts.ts)|stream/|deploys/|push/)', packages('@aws-sdk/')),
  ],
  "shared/stream knows how the table's stream reaches a function, and nothing of the table": [
    of('shared/stream/'),
    of('shared/(table|http|deploys|push)/', packages('@aws-sdk/', '@middy/')),
  ],
  'shared/deploys knows CodeDeploy, and nothing of requests': [
    of('shared/deploys/'),
    of('shared/(table|http|stream|push)/', packages('@middy/')),
  ],
  'shared/push knows AppSync, and nothing of requests and of the table': [
    of('shared/push/'),
    of('shared/(table|http|stream|deploys)/', packages('@aws-sdk/', '@middy/')),
  ],
  'shared/table knows DynamoDB, and nothing of HTTP': [
    of('shared/table/'),
    of('shared/(http|stream|deploys|push)/', packages('@middy/', '@types/aws-lambda')),
  ],
  'calls of DynamoDB are made in one folder': [
    { ...of('shared/table/'), pathNot: '^shared/table/calls/' },
    of(packages('@aws-sdk/')),
  ],
  'keys are under everything that the table holds': [
    of('shared/table/keys/'),
    { ...of('shared/table/'), pathNot: '^shared/table/keys/' },
  ],
  'calls know keys, and nothing of what is stored': [
    of('shared/table/calls/'),
    { ...of('shared/table/'), pathNot: '^shared/table/(keys|calls)/' },
  ],
  'contacts and records of idempotency know nothing of conversations': [
    of('shared/table/[^/]+$'),
    of('shared/table/(conversations|messages|businesses)/'),
  ],
  'conversations know nothing of messages': [
    of('shared/table/conversations/'),
    of('shared/table/(messages|businesses)/'),
  ],
  'businesses know nothing of conversations': [
    of('shared/table/businesses/'),
    of('shared/table/(messages|conversations)/'),
  ],
  'messages know nothing of businesses': [
    of('shared/table/messages/'),
    of('shared/table/businesses/'),
  ],
  'a conversation knows nothing of the list across': [
    of('shared/table/messages/(log|query|write)/'),
    of('shared/table/messages/across/'),
  ],
  'shared imports none of its users': [
    of('shared/'),
    of('(functions|lib|local-cloud|commands|docgen|client|bin|test)/'),
  ],
  'functions import shared only, and no SDK': [
    of('functions/'),
    of('(lib|local-cloud|commands|docgen|client|bin|test)/', packages('@aws-sdk/', '@middy/')),
  ],
  'lib is the stack: it imports the contract and the table code': [
    of('lib/'),
    of(
      '(functions|local-cloud|commands|docgen|client|playground|bin|test)/',
      'shared/(http|stream|deploys)/',
    ),
  ],
  'the local cloud imports the synthesis, and neither the stack nor shared code': [
    of('local-cloud/'),
    {
      ...of(
        '(functions|lib|shared|commands|docgen|client|playground|bin|test)/',
        packages('aws-cdk-lib/'),
      ),
      pathNot: '^lib/(synthesis/|problem\\.ts)',
    },
  ],
  'commands import the stack, the local cloud and the table code': [
    of('commands/'),
    of('(functions|docgen|client|playground|bin|test)/', 'shared/(http|stream|deploys)/'),
  ],
  'only the commands that start, verify or sign in import the local cloud': [
    { ...of('commands/'), pathNot: '^commands/(start|verify|users|stage)/' },
    of('local-cloud/'),
  ],
  'documents are generated from the contract, the template and the commands': [
    of('docgen/'),
    of('(functions|local-cloud|playground|bin|test)/', 'shared/(http|stream|deploys)/'),
  ],
  'the client generator reads the contract and converts it with docgen': [
    of('client/generator/'),
    of(
      '(functions|local-cloud|commands|playground|bin|test)/',
      'shared/(http|table|stream|deploys)/',
    ),
  ],
  'only commands parse options': [
    { ...of('(functions|lib|shared|local-cloud|docgen|commands)/'), pathNot: '^commands/cli/' },
    of(packages('commander', '@commander-js/')),
  ],
  'the playground imports the client as an app does': [
    of('playground/src/'),
    but('playground/src/', 'client/src/', 'demo/people', packages('preact', '@preact/')),
  ],
  'the playground is used as a build only': [
    of('(bin|functions|lib|local-cloud|commands|docgen|shared|client)/'),
    of('playground/'),
  ],
  'commands need no test': [of('bin/'), of('test/')],
  'the client imports nothing else, and its hooks only React': [
    of('client/src/'),
    but('client/src/', packages('react/', '@types/react/')),
  ],
  'only the hooks of the client import React': [
    { ...of('client/src/'), pathNot: '^client/src/react\\.ts$' },
    of(packages('react/', '@types/react/')),
  ],
  'only apps and tests import the client': [
    { pathNot: '^(client|playground|examples|test)/' },
    of('client/src/'),
  ],
  'what tests draw, they draw from one seed': [
    { ...of(''), pathNot: '^test/support/setup/fast-check\\.ts$' },
    of(packages('fast-check/')),
  ],
  'a test is nobody’s tool': [of(''), { path: '\\.test\\.ts$' }],
  'response invariants read the contract, and nothing that they check': [
    { ...of('test/response-invariants/'), pathNot: '\\.test\\.ts$' },
    but('test/response-invariants/', 'shared/contract/', packages('valibot'), 'node:', 'util$'),
  ],
  'what judges from outside knows the contract, and nothing of how it is kept': [
    of('test/(acceptance|fuzz|linearizability|model|soak)/'),
    of('functions/', 'shared/(table|http|stream|deploys|push)/'),
  ],
};

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...Object.entries(rules).map(([name, [from, to]]) => ({ name, severity: 'error', from, to })),
    {
      name: 'stages are data, and no command waits until the CDK is loaded',
      severity: 'error',
      from: { path: '^(lib/stages\\.ts|bin/)', pathNot: '^bin/(messaging|ci-roles)\\.ts$' },
      to: { path: packages('aws-cdk-lib', 'constructs'), reachable: true },
    },
    { name: 'no circle of files', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no circle of folders',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    // The parser that Jest turns the files with; types are imports like others.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // Of others' making.
    exclude: { path: '^test/generators/(.local|node_modules)/' },
  },
};
