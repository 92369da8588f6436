/**
 * What a value of a template speaks of, by logical ids: `Purge1234ABCD`; a table's stream and
 * indexes as `Table1234ABCD/stream` and `Table1234ABCD/gsi1`.
 */
export function findReferences(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one, n) => ofElement(one, value[n + 1]));
  // A metric names its API by the name that it has, which the template gives it.
  if ('Name' in value && value.Name === 'ApiName' && 'Value' in value) return [String(value.Value)];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref') return [String(inner)];
    if (key === 'Fn::GetAtt') return [attribute(inner)];
    return findReferences(inner);
  });
}

/**
 * In a text that is put together, what follows a table's ARN tells which of its indexes is meant.
 */
function ofElement(element: unknown, next: unknown): string[] {
  const [, index] = typeof next === 'string' ? (/^\/index\/([\w.-]+)/.exec(next) ?? []) : [];
  return findReferences(element).map((id) => (index ? `${id}/${index}` : id));
}

function attribute(argument: unknown): string {
  const [id = '', name] = Array.isArray(argument) ? argument : String(argument).split('.');
  return name === 'StreamArn' ? `${id}/stream` : String(id);
}
