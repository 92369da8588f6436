/** The subset of OpenAPI 3.1 that the generated document uses. */
import type { JsonSchema } from '@valibot/to-json-schema';

export interface Reference {
  $ref: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  /** Set for a list: the request repeats the parameter for each item. */
  style?: 'form';
  explode?: true;
  required?: true;
  description: string;
  schema: JsonSchema;
  example?: unknown;
}

export interface Header {
  description: string;
  required?: true;
  schema: JsonSchema;
}

export interface MediaType {
  schema: JsonSchema;
  encoding?: Record<string, { style: 'deepObject'; explode: true }>;
  example?: unknown;
  examples?: Record<string, Reference>;
}

export interface RequestBody {
  description: string;
  required: boolean;
  content: Record<string, MediaType>;
}

export interface Response {
  description: string;
  headers: Record<string, Reference>;
  content?: Record<string, MediaType>;
}

export interface DocumentedOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: (Parameter | Reference)[];
  requestBody?: RequestBody;
  responses: Record<string, Response | Reference>;
}

export interface Components {
  securitySchemes: Record<string, object>;
  parameters: Record<string, Parameter>;
  headers: Record<string, Header>;
  responses: Record<string, Response>;
  examples: Record<string, { summary: string; value: unknown }>;
  schemas: Record<string, JsonSchema>;
}

export interface OpenApiDocument {
  openapi: string;
  info: { title: string; [field: string]: unknown };
  servers: { url: string; description: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: Partial<Components>;
}
