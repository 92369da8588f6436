import { operationGroups } from './operation-groups.ts';

export * from './operations/businesses.ts';
export * from './operations/conversations.ts';
export * from './operations/events.ts';
export * from './operations/groups.ts';
export * from './operations/messages.ts';
export * from './operations/people.ts';

/** All operations of the API. The stack, the documents and the tests derive from this list. */
export const operations = operationGroups.flatMap(
  ({ operations: rows }): readonly (typeof rows)[number][] => rows,
);
