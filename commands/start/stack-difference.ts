import { isDeepStrictEqual } from 'node:util';
import type { Template, TemplateResource } from '../../lib/synthesis/template.ts';

/** Types of resources that CDK replaces whenever the code or other resources change. */
const generatedTypes = ['AWS::ApiGateway::Deployment', 'AWS::Lambda::Version'];

const maxLines = 12;

/**
 * Returns one line for each resource that was added (`+`), changed (`~`, with the names of the
 * properties) or removed (`-`). If there are more than 12 lines, replaces the rest with one line
 * that counts them. Ignores code hashes and derived values.
 */
export function describeStackChanges(before: Template, after: Template): string[] {
  const ids = new Set([...Object.keys(before.Resources), ...Object.keys(after.Resources)]);
  const lines = [...ids].flatMap((id) => {
    const [oldResource, newResource] = [before.Resources[id], after.Resources[id]];
    const type = (newResource ?? oldResource)?.Type ?? '';
    if (generatedTypes.includes(type)) return [];
    const resourceName = `${id} (${type.replace(/^AWS::/, '')})`;
    if (!oldResource) return [`+ ${resourceName}`];
    if (!newResource) return [`- ${resourceName}`];
    const changed = findChangedProperties(oldResource, newResource);
    return changed.length > 0 ? [`~ ${resourceName}: ${changed.join(', ')}`] : [];
  });
  return lines.length <= maxLines
    ? lines
    : [...lines.slice(0, maxLines), `… and ${lines.length - maxLines} more`];
}

function findChangedProperties(
  oldResource: TemplateResource,
  newResource: TemplateResource,
): string[] {
  const names = new Set([
    ...Object.keys(oldResource.Properties),
    ...Object.keys(newResource.Properties),
  ]);
  return [...names].filter(
    (name) =>
      !isDeepStrictEqual(
        toComparableValue(name, oldResource),
        toComparableValue(name, newResource),
      ),
  );
}

/** Returns the value to compare; undefined for code and for references to regenerated resources. */
function toComparableValue(name: string, { Type, Properties }: TemplateResource): unknown {
  if (Type === 'AWS::Lambda::Function' && name === 'Code') return undefined;
  if (name === 'FunctionVersion' || name === 'DeploymentId') return undefined;
  return Properties[name];
}
