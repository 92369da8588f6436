/**
 * Rules that forbid imports, including imports of types: most folders depend on one external
 * service, and imports go in one direction.
 */

/** Matches all paths except those that begin with one of the given patterns. */
const but = (...beginnings) => ({ pathNot: `^(${beginnings.join('|')})` });
const of = (...beginnings) => ({ path: `^(${beginnings.join('|')})` });
const packages = (...names) => `node_modules/(${names.join('|')})`;

const rules = {
  'the contract imports valibot only': [
    of('shared/contract/'),
    but('shared/contract/', packages('valibot')),
  ],
  'the common modules of shared import the contract and the log only': [
    of('shared/[^/]+$', 'shared/log/'),
    of('shared/(http|table|stream|deploys|push|bus|signing)/', packages('')),
  ],
  'the log does not import the contract': [of('shared/log/'), of('shared/contract/')],
  'shared/http uses API Gateway, and imports only the request counts of the table code': [
    of('shared/http/'),
    of('shared/(table/(?!request-counts.ts)|stream/|deploys/|push/)', packages('@aws-sdk/')),
  ],
  "shared/stream reads the events of the table's stream, and does not import the table code": [
    of('shared/stream/'),
    of('shared/(table|http|deploys|push)/', packages('@aws-sdk/', '@middy/')),
  ],
  'shared/deploys uses CodeDeploy only': [
    of('shared/deploys/'),
    of('shared/(table|http|stream|push)/', packages('@middy/')),
  ],
  'shared/bus uses EventBridge only': [
    of('shared/bus/'),
    of('shared/(table|http|stream|deploys|push)/', packages('@aws-sdk/', '@middy/')),
  ],
  'shared/webhooks uses endpoints, queues and parameters': [
    of('shared/webhooks/'),
    of('shared/(http|stream|deploys|push|bus)/', packages('@aws-sdk/', '@middy/')),
  ],
  'shared/thumbnails uses images and files': [
    of('shared/thumbnails/'),
    of('shared/(table|http|stream|deploys|push|bus|webhooks)/', packages('@aws-sdk/', '@middy/')),
  ],
  'only shared/thumbnails imports sharp': [
    { ...of('(functions|shared|lib|commands|local-cloud)/'), pathNot: '^shared/thumbnails/' },
    of(packages('sharp/')),
  ],
  'shared/signing imports no code of a service': [
    of('shared/signing/'),
    of('shared/(table|http|stream|deploys|push|bus)/', packages('@aws-sdk/', '@middy/')),
  ],
  'shared/push uses AppSync only': [
    of('shared/push/'),
    of('shared/(table|http|stream|deploys|bus)/', packages('@aws-sdk/', '@middy/')),
  ],
  'shared/table uses DynamoDB, and not HTTP': [
    of('shared/table/'),
    of('shared/(http|stream|deploys|push|bus|webhooks)/', packages('@middy/', '@types/aws-lambda')),
  ],
  'only shared/table/calls signs requests': [
    { ...of('shared/table/'), pathNot: '^shared/table/calls/' },
    of('shared/signing/'),
  ],
  'only shared/table/calls imports the AWS SDK': [
    { ...of('shared/table/'), pathNot: '^shared/table/calls/' },
    of(packages('@aws-sdk/')),
  ],
  'shared/table/keys imports no other table code': [
    of('shared/table/keys/'),
    { ...of('shared/table/'), pathNot: '^shared/table/keys/' },
  ],
  'shared/table/calls imports the keys, and no items': [
    of('shared/table/calls/'),
    { ...of('shared/table/'), pathNot: '^shared/table/(keys|calls)/' },
  ],
  'contacts and idempotency records do not import conversations, messages or businesses': [
    of('shared/table/[^/]+$'),
    of('shared/table/(conversations|messages|businesses)/'),
  ],
  'conversations do not import messages': [
    of('shared/table/conversations/'),
    of('shared/table/(messages|businesses)/'),
  ],
  'businesses do not import conversations': [
    of('shared/table/businesses/'),
    of('shared/table/(messages|conversations)/'),
  ],
  'messages do not import businesses': [
    of('shared/table/messages/'),
    of('shared/table/businesses/'),
  ],
  'the messages of one conversation do not import the lists across conversations': [
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
  'in commands/, only start, verify, users and stage import the local cloud': [
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
  'the service, the commands and the client do not import the playground': [
    of('(bin|functions|lib|local-cloud|commands|docgen|shared|client)/'),
    of('playground/'),
  ],
  'commands do not import tests': [of('bin/'), of('test/')],
  'the client imports only its own files and React': [
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
  'tests import fast-check through the module that sets the seed': [
    { ...of(''), pathNot: '^test/support/setup/fast-check\\.ts$' },
    of(packages('fast-check/')),
  ],
  'nothing imports a test file': [of(''), { path: '\\.test\\.ts$' }],
  'response invariants import the contract, and nothing that they check': [
    { ...of('test/response-invariants/'), pathNot: '\\.test\\.ts$' },
    but('test/response-invariants/', 'shared/contract/', packages('valibot'), 'node:', 'util$'),
  ],
  'tests of the API from outside import no handlers and no table code': [
    of('test/(acceptance|fuzz|linearizability|model|soak)/'),
    of('functions/', 'shared/(table|http|stream|deploys|push)/'),
  ],
};

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...Object.entries(rules).map(([name, [from, to]]) => ({ name, severity: 'error', from, to })),
    {
      name: 'stages and commands do not load the CDK',
      severity: 'error',
      from: { path: '^(lib/stages\\.ts|bin/)', pathNot: '^bin/(messaging|ci-roles)\\.ts$' },
      to: { path: packages('aws-cdk-lib', 'constructs'), reachable: true },
    },
    { name: 'no circular imports of files', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no circular imports of folders',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    // Jest's compiler. With it, the rules also apply to imports of types.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // Generated clients and their packages.
    exclude: { path: '^test/generators/(.local|node_modules)/' },
  },
};
