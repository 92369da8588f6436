/** Finds circular dependencies, because CloudFormation rejects templates that contain them. */

type Resources = Readonly<Record<string, unknown>>;

export function findDependencyCycles(resources: Resources): string[][] {
  const graph = new Map(
    Object.entries(resources).map(([id, resource]) => [id, findDependencies(resource, resources)]),
  );
  const reachable = new Map([...graph.keys()].map((id) => [id, findReachable(id, graph)]));
  const inCycle = [...graph.keys()].filter((id) => reachable.get(id)?.has(id));
  const cycles = Map.groupBy(inCycle, (id) =>
    inCycle.filter((one) => reachable.get(id)?.has(one) && reachable.get(one)?.has(id)).join(),
  );
  return [...cycles.values()];
}

/**
 * Returns the ids of the resources that a resource references, even outside its properties, such as
 * in UpdatePolicy.
 */
export function findDependencies(resource: unknown, resources: Resources): Set<string> {
  const found = new Set(findReferences(resource));
  const { DependsOn = [] } = Object(resource);
  for (const id of [DependsOn].flat()) found.add(id);
  return new Set([...found].filter((id) => Object.hasOwn(resources, id)));
}

function findReferences(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(findReferences);
  return Object.entries(value).flatMap(([key, argument]) => {
    if (key === 'Ref') return [String(argument)];
    if (key === 'Fn::GetAtt') {
      const [id = '', attribute] = Array.isArray(argument) ? argument : String(argument).split('.');
      return [id, ...findReferences(attribute)];
    }
    if (key === 'Fn::Sub') {
      const [text, variables = {}] = Array.isArray(argument) ? argument : [argument];
      const names = [...String(text).matchAll(/\$\{([^!}][^}]*)\}/g)].map(([, name = '']) => name);
      const own = names.filter((name) => !Object.hasOwn(variables, name));
      return [...own.map((name) => name.split('.')[0] ?? ''), ...findReferences(variables)];
    }
    return findReferences(argument);
  });
}

function findReachable(id: string, graph: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const visited = new Set<string>();
  const todo = [...(graph.get(id) ?? [])];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (visited.has(next)) continue;
    visited.add(next);
    todo.push(...(graph.get(next) ?? []));
  }
  return visited;
}
