import { type Example, examples } from '../../shared/contract/examples.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { operationGroups } from '../../shared/contract/operation-groups.ts';
import { operations } from '../../shared/contract/operations.ts';
import { toDocumentedOperation } from './documented-operation.ts';
import { introduction } from './introduction.ts';
import type { OpenApiDocument } from './openapi-types.ts';
import { headerParameters } from './request-headers.ts';
import { errorExamples } from './responses/error-examples.ts';
import { sharedResponses } from './responses/error-responses.ts';
import { replyHeaders } from './responses/reply-headers.ts';
import { namedSchemas } from './schemas.ts';
import { selectUsedComponents } from './used-components.ts';

const rows: readonly Operation[] = operations;
const examplesById: Record<string, Example> = examples;

export function createOpenApiDocument(version: string): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const row of rows) {
    const example = examplesById[row.id];
    if (!example) throw new Error(`${row.id} has no example in shared/contract/examples.ts.`);
    paths[row.path] = {
      ...paths[row.path],
      [row.method.toLowerCase()]: toDocumentedOperation(row, example),
    };
  }
  const used = selectUsedComponents(paths, {
    securitySchemes: {},
    parameters: headerParameters,
    headers: replyHeaders,
    responses: sharedResponses,
    examples: errorExamples,
    schemas: namedSchemas,
  });
  return {
    openapi: '3.1.1',
    ...introduction(version),
    tags: operationGroups
      .flatMap(({ resources }) => Object.entries(resources))
      .map(([name, description]) => ({ name, description }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    paths,
    components: { ...used, securitySchemes },
  };
}

const securitySchemes = {
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      "A token from the stage's identity provider. Its `sub` is the caller's contact id, and its `groups` are the caller's groups, except those that users create.",
  },
};
