import * as v from 'valibot';
import { handlerMetadataKey } from '../handler-metadata-key.ts';

const TemplateResource = v.object({
  Type: v.string(),
  Properties: v.optional(v.record(v.string(), v.unknown()), {}),
  Condition: v.optional(v.string()),
  Metadata: v.optional(v.object({ [handlerMetadataKey]: v.optional(v.string()) })),
});
export type TemplateResource = v.InferOutput<typeof TemplateResource>;

/** Parts of a CloudFormation template that the local cloud reads. */
export const Template = v.object({
  Parameters: v.optional(
    v.record(v.string(), v.object({ Type: v.string(), Default: v.optional(v.string()) })),
    {},
  ),
  Resources: v.record(v.string(), TemplateResource),
  Outputs: v.optional(v.record(v.string(), v.object({ Value: v.unknown() })), {}),
});
export type Template = v.InferOutput<typeof Template>;

/** A synthesized stack: its template, and the folder with its assets. */
export interface Assembly {
  stackName: string;
  template: Template;
  directory: string;
}
