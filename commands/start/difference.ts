import { isDeepStrictEqual } from 'node:util';
import type { Template, TemplateResource } from '../../lib/synthesis/template.ts';

/**
 * Properties that differ between deployments without a change by a developer, such as code hashes.
 */
const followingTypes = ['AWS::ApiGateway::Deployment', 'AWS::Lambda::Version'];

const maxLines = 12;

/**
 * Returns the differences between two templates, one line per resource: `+` added, `~` changed with
 * the properties, `-` removed. Ignores code hashes and derived values. Empty if nothing else
 * differs.
 */
export function stackDifference(before: Template, after: Template): string[] {
  const ids = new Set([...Object.keys(before.Resources), ...Object.keys(after.Resources)]);
  const lines = [...ids].flatMap((id) => {
    const [was, is] = [before.Resources[id], after.Resources[id]];
    const type = (is ?? was)?.Type ?? '';
    if (followingTypes.includes(type)) return [];
    const named = `${id} (${type.replace(/^AWS::/, '')})`;
    if (!was) return [`+ ${named}`];
    if (!is) return [`- ${named}`];
    const changed = changedProperties(was, is);
    return changed.length > 0 ? [`~ ${named}: ${changed.join(', ')}`] : [];
  });
  return lines.length <= maxLines
    ? lines
    : [...lines.slice(0, maxLines), `… and ${lines.length - maxLines} more`];
}

function changedProperties(was: TemplateResource, is: TemplateResource): string[] {
  const names = new Set([...Object.keys(was.Properties), ...Object.keys(is.Properties)]);
  return [...names].filter((name) => !isDeepStrictEqual(shown(name, was), shown(name, is)));
}

/** References to regenerated resources do not count as changes. */
function shown(name: string, { Type, Properties }: TemplateResource): unknown {
  if (Type === 'AWS::Lambda::Function' && name === 'Code') return undefined;
  if (name === 'FunctionVersion' || name === 'DeploymentId') return undefined;
  return Properties[name];
}
