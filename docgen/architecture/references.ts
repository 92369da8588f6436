/**
 * Returns the references in a template value by logical id, such as `Purge1234ABCD`, and
 * `Table1234ABCD/stream` or `Table1234ABCD/gsi1` for a table's stream and indexes.
 */
export function findReferences(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value))
    return value.flatMap((one, n) => findElementReferences(one, value[n + 1]));
  // A metric refers to its API by name, as set in the template.
  if ('Name' in value && value.Name === 'ApiName' && 'Value' in value) return [String(value.Value)];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref') return [String(inner)];
    if (key === 'Fn::GetAtt') return [toAttributeReference(inner)];
    return findReferences(inner);
  });
}

/** In a joined text, the part after a table's ARN names the index. */
function findElementReferences(element: unknown, next: unknown): string[] {
  const [, index] = typeof next === 'string' ? (/^\/index\/([\w.-]+)/.exec(next) ?? []) : [];
  return findReferences(element).map((id) => (index ? `${id}/${index}` : id));
}

function toAttributeReference(argument: unknown): string {
  const [id = '', name] = Array.isArray(argument) ? argument : String(argument).split('.');
  return name === 'StreamArn' ? `${id}/stream` : String(id);
}
