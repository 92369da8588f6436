import * as v from 'valibot';
import { messageOf, Problem } from '../../lib/problem.ts';
import type { Template, TemplateResource } from '../../lib/synthesis/template.ts';
import { type PhysicalResource, type Resolve, resolver } from './intrinsics.ts';
import { physicalResources } from './physical-resource.ts';

/** A resource as it is in the local cloud, its properties resolved and checked. */
export interface Resource<Properties> extends PhysicalResource {
  /** Its logical id in the template. */
  id: string;
  properties: Properties;
}

/** A template with values for its parameters, ready to be read resource by resource. */
export interface Stack {
  name: string;
  types: ReadonlySet<string>;
  /** What the stack says of itself when it is deployed. */
  outputs: Readonly<Record<string, string>>;
  /**
   * The resources of that type. A property that the schema does not know, or an intrinsic function that the local cloud
   * cannot compute, is an error that names the resource: nothing that the template says is overlooked.
   */
  resources<Schema extends v.GenericSchema>(
    type: string,
    schema: Schema,
  ): Resource<v.InferOutput<Schema>>[];
}

export function readStack(
  name: string,
  template: Template,
  parameterValues: Readonly<Record<string, string>> = {},
): Stack {
  const entries = Object.entries(template.Resources);
  const physical = physicalResources(name, template.Resources);
  const resolve = resolver({
    stackName: name,
    parameters: parametersOf(template, parameterValues),
    resources: physical,
  });
  return {
    name,
    types: new Set(entries.map(([, { Type }]) => Type)),
    outputs: Object.fromEntries(
      Object.entries(template.Outputs).map(([id, { Value }]) => [id, String(resolve(Value))]),
    ),
    resources: (type, schema) =>
      entries
        .filter(([, resource]) => resource.Type === type)
        .map(([id, resource]) => ({
          id,
          ...(physical.get(id) ?? { ref: id, attributes: {} }),
          properties: readProperties(id, resource, schema, resolve),
        })),
  };
}

function readProperties<Schema extends v.GenericSchema>(
  id: string,
  { Type, Properties, Condition }: TemplateResource,
  schema: Schema,
  resolve: Resolve,
): v.InferOutput<Schema> {
  if (Condition) throw new Problem(`${id} (${Type}): conditions are not known to the local cloud`);
  try {
    return v.parse(schema, resolve(Properties));
  } catch (error) {
    const place = error instanceof v.ValiError ? `${v.getDotPath(error.issues[0])}: ` : '';
    throw new Problem(`${id} (${Type}): the local cloud cannot read ${place}${messageOf(error)}`);
  }
}

/** Those with neither a value nor a default have none: whoever needs one says so. */
function parametersOf(template: Template, given: Readonly<Record<string, string>>) {
  const defaults = Object.entries(template.Parameters).flatMap(([name, { Default }]) =>
    Default === undefined ? [] : [[name, Default] as const],
  );
  return new Map([...defaults, ...Object.entries(given)]);
}
