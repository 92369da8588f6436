import { type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import * as business from '../../shared/contract/business/business.ts';
import * as workTime from '../../shared/contract/business/work-time.ts';
import * as errors from '../../shared/contract/errors.ts';
import * as attachment from '../../shared/contract/resources/attachment.ts';
import * as block from '../../shared/contract/resources/block.ts';
import * as contact from '../../shared/contract/resources/contact.ts';
import * as conversation from '../../shared/contract/resources/conversation.ts';
import * as deleted from '../../shared/contract/resources/deleted.ts';
import * as event from '../../shared/contract/resources/event.ts';
import * as exclude from '../../shared/contract/resources/exclude.ts';
import * as expand from '../../shared/contract/resources/expand.ts';
import * as group from '../../shared/contract/resources/group.ts';
import * as live from '../../shared/contract/resources/live.ts';
import * as message from '../../shared/contract/resources/message.ts';
import * as personSettings from '../../shared/contract/resources/person-settings.ts';
import * as reader from '../../shared/contract/resources/reader.ts';
import * as report from '../../shared/contract/resources/report.ts';
import { isSchema } from '../../shared/contract/schema/describe-schema.ts';
import { conversion, withoutDefaults } from './conversion.ts';

/**
 * Schemas exported by the contract. The export name becomes the component's name. Excludes strings,
 * numbers and booleans, which are more readable inline, and optional schemas, because optionality
 * depends on the parent.
 */
const named: Record<string, GenericSchema> = {};
for (const [name, value] of Object.entries({
  ...attachment,
  ...business,
  ...contact,
  ...conversation,
  ...deleted,
  ...errors,
  ...exclude,
  ...expand,
  ...event,
  ...group,
  ...live,
  ...message,
  ...personSettings,
  ...reader,
  ...block,
  ...report,
  ...workTime,
})) {
  if (isSchema(value) && !['string', 'number', 'boolean', 'optional'].includes(value.type))
    named[name] = value;
}

export const namedSchemas: Record<string, JsonSchema> = toJsonSchemaDefs(named, withoutDefaults);

/** Cache of conversions, because each conversion also converts all named schemas. */
const converted = new WeakMap<GenericSchema, JsonSchema>();

/** Converts a schema of the contract. Named schemas become references. */
export function convertSchema(schema: GenericSchema): JsonSchema {
  const known = converted.get(schema);
  if (known) return known;
  const { $schema, $defs, ...json } = toJsonSchema(schema, { ...conversion, definitions: named });
  converted.set(schema, json);
  return json;
}

/**
 * Returns the fields of an inline or referenced object schema. For a choice, uses the first option.
 */
export function getFields(json: JsonSchema): [name: string, schema: JsonSchema][] {
  const { anyOf: [choice] = [], properties = {} } = resolveReference(json);
  if (typeof choice === 'object') return getFields(choice);
  return Object.entries(properties).map(([name, schema]) => [
    name,
    typeof schema === 'object' ? schema : {},
  ]);
}

/** Resolves a reference; returns other schemas unchanged. */
export const resolveReference = (json: JsonSchema): JsonSchema =>
  namedSchemas[json.$ref?.split('/').at(-1) ?? ''] ?? json;
