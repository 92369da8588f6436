import * as v from 'valibot';
import { Problem, toErrorMessage } from '../../lib/problem.ts';
import type { Template, TemplateResource } from '../../lib/synthesis/template.ts';
import { createResolver, type PhysicalResource, type Resolve } from './intrinsics.ts';
import { toPhysicalResources } from './physical-resource.ts';

export interface Resource<Properties> extends PhysicalResource {
  /** Logical id in the template. */
  id: string;
  properties: Properties;
}

export interface Stack {
  name: string;
  types: ReadonlySet<string>;
  outputs: Readonly<Record<string, string>>;
  /**
   * Returns a type's resources whose properties `isWanted` accepts. Throws a Problem if a
   * resource has a condition or an unsupported intrinsic function, or if its properties do not
   * match the schema.
   */
  resources<Schema extends v.GenericSchema>(
    type: string,
    schema: Schema,
    isWanted?: (properties: unknown) => boolean,
  ): Resource<v.InferOutput<Schema>>[];
}

export function readStack(
  name: string,
  template: Template,
  parameterValues: Readonly<Record<string, string>> = {},
): Stack {
  const entries = Object.entries(template.Resources);
  const physical = toPhysicalResources(name, template.Resources);
  const resolve = createResolver({
    stackName: name,
    parameters: getParameterValues(template, parameterValues),
    resources: physical,
  });
  return {
    name,
    types: new Set(entries.map(([, { Type }]) => Type)),
    outputs: Object.fromEntries(
      Object.entries(template.Outputs).map(([id, { Value }]) => [id, String(resolve(Value))]),
    ),
    resources: (type, schema, isWanted = () => true) =>
      entries
        .filter(([, { Type, Properties }]) => Type === type && isWanted(resolve(Properties)))
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
  if (Condition) throw new Problem(`${id} (${Type}): the local cloud does not support conditions`);
  try {
    return v.parse(schema, resolve(Properties));
  } catch (error) {
    const path = error instanceof v.ValiError ? `${v.getDotPath(error.issues[0])}: ` : '';
    throw new Problem(
      `${id} (${Type}): the local cloud cannot read ${path}${toErrorMessage(error)}`,
    );
  }
}

/**
 * Returns the parameters that have a value or a default. Resolving a reference to another parameter
 * throws.
 */
function getParameterValues(template: Template, parameterValues: Readonly<Record<string, string>>) {
  const defaults = Object.entries(template.Parameters).flatMap(([name, { Default }]) =>
    Default === undefined ? [] : [[name, Default] as const],
  );
  return new Map([...defaults, ...Object.entries(parameterValues)]);
}
