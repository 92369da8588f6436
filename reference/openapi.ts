import { type ErrorCode, errorCatalog } from '../shared/contract/errors.ts';
import { getSuccessStatuses, type Operation } from '../shared/contract/operation.ts';
import { operationGroups } from '../shared/contract/operation-groups.ts';
import { operations } from '../shared/contract/operations.ts';
import { type Field, type JsonSchema, toFields } from './fields.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description: string;
  schema: JsonSchema;
  example?: unknown;
}

interface Media {
  schema: JsonSchema;
  example?: unknown;
}

interface DocumentedOperation {
  operationId: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description?: string; content?: Record<string, Media> }>;
}

/** The parts of openapi.json that the pages show. */
export interface OpenApiDocument {
  info: { title: string; version: string };
  servers: [{ url: string }];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: {
    parameters: Record<string, Parameter>;
    headers: Record<string, { description: string }>;
    schemas: Record<string, JsonSchema>;
  };
}

export interface ReferenceOperation {
  /** Name of the page, such as `sendMessage`. */
  id: string;
  row: Operation;
  parameters: readonly (Field & { in: Parameter['in']; example?: unknown })[];
  body?: { fields: readonly Field[]; example: unknown };
  reply: { fields: readonly Field[]; example: unknown };
  successes: readonly { status: string; description: string }[];
  errors: readonly { code: ErrorCode; status: number; meaning: string }[];
}

/** Groups the operations as in the index. */
export const groupOperations = (all: readonly ReferenceOperation[]) =>
  operationGroups.map(({ title, operations: rows }) => ({
    title,
    operations: all.filter(({ row }) => rows.some(({ id }) => id === row.id)),
  }));

/**
 * Returns the contract's operations, described as in openapi.json. Omits operations that the file
 * lacks, because `npm run docs` synthesizes a template with these pages before it updates the file.
 */
export const readOperations = (document: OpenApiDocument): ReferenceOperation[] =>
  operations.flatMap((row: Operation) => {
    const documented = document.paths[row.path]?.[row.method.toLowerCase()];
    return documented ? [toReferenceOperation(row, documented, document)] : [];
  });

function toReferenceOperation(
  row: Operation,
  documented: DocumentedOperation,
  document: OpenApiDocument,
): ReferenceOperation {
  const { schemas } = document.components;
  const body = documented.requestBody?.content['application/json'];
  const reply = documented.responses[row.status]?.content?.['application/json'];
  const statuses = [...getSuccessStatuses(row), ...('304' in documented.responses ? [304] : [])];
  return {
    id: documented.operationId,
    row,
    parameters: (documented.parameters ?? []).map((one) =>
      toParameterField('$ref' in one ? resolveParameter(one.$ref, document) : one, schemas),
    ),
    ...(body && { body: { fields: toFields(body.schema, schemas), example: body.example } }),
    reply: { fields: reply ? toFields(reply.schema, schemas) : [], example: reply?.example },
    successes: statuses.map((status) => ({
      status: String(status),
      description: documented.responses[status]?.description ?? '',
    })),
    errors: row.errors
      .map((code) => ({
        code,
        status: errorCatalog[code].status,
        meaning: errorCatalog[code].meaning,
      }))
      .sort((one, other) => one.status - other.status),
  };
}

function resolveParameter(reference: string, document: OpenApiDocument): Parameter {
  const found = document.components.parameters[reference.split('/').at(-1) ?? ''];
  if (!found) throw new Error(`openapi.json has no ${reference}.`);
  return found;
}

function toParameterField(
  { name, in: location, required = false, description, schema, example }: Parameter,
  schemas: Record<string, JsonSchema>,
) {
  const [field] = toFields({ properties: { [name]: schema } }, schemas);
  if (!field) throw new Error(`${name} has no schema.`);
  return { ...field, required, description, in: location, example };
}
