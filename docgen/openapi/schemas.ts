import { type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import * as business from '../../shared/contract/business/business.ts';
import * as workTime from '../../shared/contract/business/work-time.ts';
import * as errors from '../../shared/contract/errors.ts';
import * as contact from '../../shared/contract/resources/contact.ts';
import * as conversation from '../../shared/contract/resources/conversation.ts';
import * as deleted from '../../shared/contract/resources/deleted.ts';
import * as event from '../../shared/contract/resources/event.ts';
import * as exclude from '../../shared/contract/resources/exclude.ts';
import * as expand from '../../shared/contract/resources/expand.ts';
import * as live from '../../shared/contract/resources/live.ts';
import * as message from '../../shared/contract/resources/message.ts';
import { isSchema } from '../../shared/contract/schema/describe-schema.ts';
import { conversion, withoutDefaults } from './conversion.ts';

/**
 * What the contract's files export under a name is in the document under that name, once. Plain
 * strings, numbers and booleans are not: they read better where they stand; nor is what may be
 * absent, which is a matter of who has it.
 */
const named: Record<string, GenericSchema> = {};
for (const [name, value] of Object.entries({
  ...business,
  ...contact,
  ...conversation,
  ...deleted,
  ...errors,
  ...exclude,
  ...expand,
  ...event,
  ...live,
  ...message,
  ...workTime,
})) {
  if (isSchema(value) && !['string', 'number', 'boolean', 'optional'].includes(value.type))
    named[name] = value;
}

/** The named schemas, for the document's components. */
export const namedSchemas: Record<string, JsonSchema> = toJsonSchemaDefs(named, withoutDefaults);

/** A schema of the contract as the document says it, referring to the named ones. */
export function convertSchema(schema: GenericSchema): JsonSchema {
  const { $schema, $defs, ...json } = toJsonSchema(schema, { ...conversion, definitions: named });
  return json;
}

/**
 * The fields of an object schema, whether it is spelled out or referred to by name; of a choice,
 * those of the first.
 */
export function getFields(json: JsonSchema): [name: string, schema: JsonSchema][] {
  const { anyOf: [choice] = [], properties = {} } = resolveReference(json);
  if (typeof choice === 'object') return getFields(choice);
  return Object.entries(properties).map(([name, schema]) => [
    name,
    typeof schema === 'object' ? schema : {},
  ]);
}

/** A named schema in the place of a reference to it. */
export const resolveReference = (json: JsonSchema): JsonSchema =>
  namedSchemas[json.$ref?.split('/').at(-1) ?? ''] ?? json;
