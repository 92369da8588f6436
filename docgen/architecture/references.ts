/**
 * Returns the logical ids that a template value references. References to a table's stream and
 * indexes have the form `Table1234ABCD/stream` and `Table1234ABCD/gsi1`.
 */
export function findReferences(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value))
    return value.flatMap((one, n) => findElementReferences(one, value[n + 1]));
  // A metric's dimension refers to an API by name, not by logical id.
  if ('Name' in value && value.Name === 'ApiName' && 'Value' in value) return [String(value.Value)];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref') return [String(inner)];
    if (key === 'Fn::GetAtt') return [toAttributeReference(inner)];
    return findReferences(inner);
  });
}

/** Appends the name of an index if the next text in `Fn::Join` contains one. */
function findElementReferences(element: unknown, next: unknown): string[] {
  const [, index] = typeof next === 'string' ? (/^\/index\/([\w.-]+)/.exec(next) ?? []) : [];
  return findReferences(element).map((id) => (index ? `${id}/${index}` : id));
}

function toAttributeReference(argument: unknown): string {
  const [id = '', name] = Array.isArray(argument) ? argument : String(argument).split('.');
  return name === 'StreamArn' ? `${id}/stream` : String(id);
}
