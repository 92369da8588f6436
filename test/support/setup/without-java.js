import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const java = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', 'java') : 'java';

/** Whether Java is installed. Without Java, tests run on Dynoxide. */
export const hasJava = spawnSync(java, ['-version']).status === 0;

/** Tests that fail on Dynoxide 1.2.1 or without Java, keyed by reason. */
export const needsDynamoDbLocal = {
  'Dynoxide charges transactions twice and an empty query half a unit, as AWS does, but charges less for index writes in transactions':
    [
      'budgets/conversation-budgets',
      'budgets/conversation-change-budgets',
      'budgets/many-groups',
      'budgets/message-list-budgets',
      'budgets/request-budgets',
      'commands/verify/checks/log-checks',
      'functions/contacts/stale-indexes',
      'functions/conversations/exclude-flags',
      'functions/conversations/update',
      'functions/idempotency',
      'non-members/retrieve-contact',
      'shared/log/log-lines',
    ],
  'A query or batch of thousands of entries takes longer than the client waits': [
    'commands/privacy/erase/writes-during-erasure',
    'functions/conversations/with-contact',
    'functions/events/page-size',
    'functions/purge',
    'non-members/list-all-messages',
    'non-members/list-conversations',
    'playground/playground',
    'shared/contract/examples',
  ],
  'A page of large items ends one item later': ['functions/business/list'],
  'An update of an absent item returns empty old attributes instead of none': [
    'commands/privacy/erase-faults',
    'commands/privacy/erase',
    'commands/privacy/large-erasures',
  ],
  'Conditions are checked before some limits, and 101 operands of IN are accepted': [
    'local-cloud/table/limit-check',
  ],
  'The message for a missing table differs': ['commands/businesses/import-businesses'],
  'All access keys share one database, and unsigned requests are refused': [
    'bin/import-businesses',
    'local-cloud/cloud',
  ],
  'The tests are about Java': ['bin/start', 'local-cloud/table/dynamodb-local'],
  'The warning that Java is missing is printed': ['local-cloud/printed-secrets'],
};
