import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import type { Stack } from '../stack/read-stack.ts';

const ResourceProperties = v.strictObject({
  ParentId: v.string(),
  PathPart: v.string(),
  RestApiId: v.string(),
});

export interface PathNode<Method> {
  id: string;
  /** Path in the API's definition, such as `/v1/messages/{message_id}`. */
  path: string;
  part: string;
  children: PathNode<Method>[];
  methods: Map<string, Method>;
}

export interface Match<Method> {
  node: PathNode<Method>;
  method: Method;
  pathParameters: Record<string, string>;
}

/** Returns the root, whose id is `rootId`, and all nodes by id. */
export function buildPathTree<Method>(stack: Stack, rootId: string) {
  const root: PathNode<Method> = {
    id: rootId,
    path: '/',
    part: '',
    children: [],
    methods: new Map(),
  };
  const nodes = new Map([[rootId, root]]);
  let missing = stack.resources('AWS::ApiGateway::Resource', ResourceProperties);
  while (missing.length > 0) {
    const ready = missing.filter(({ properties }) => nodes.has(properties.ParentId));
    if (ready.length === 0)
      throw new Problem(`${missing[0]?.id}: its parent is not in the template`);
    for (const { ref, properties } of ready) {
      const parent = nodes.get(properties.ParentId) ?? root;
      const part = properties.PathPart;
      const path = `${parent.path.replace(/\/$/, '')}/${part}`;
      const node: PathNode<Method> = { id: ref, path, part, children: [], methods: new Map() };
      parent.children.push(node);
      nodes.set(ref, node);
    }
    missing = missing.filter((resource) => !ready.includes(resource));
  }
  return { root, nodes };
}

/**
 * Finds the method for a request. Literal segments take precedence over parameters, parameters over
 * greedy parameters, and a specific HTTP method over ANY. Ignores trailing slashes.
 */
export function findMethod<Method>(
  root: PathNode<Method>,
  httpMethod: string,
  path: string,
): Match<Method> | undefined {
  const segments = path.replace(/\/+$/, '').split('/').slice(1);
  const found = findNode(root, segments);
  const method = found?.node.methods.get(httpMethod) ?? found?.node.methods.get('ANY');
  return found && method && { ...found, method };
}

interface FoundNode<Method> {
  node: PathNode<Method>;
  pathParameters: Record<string, string>;
}

function findNode<Method>(
  node: PathNode<Method>,
  segments: readonly string[],
): FoundNode<Method> | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined)
    return node.methods.size > 0 ? { node, pathParameters: {} } : undefined;
  for (const child of node.children.toSorted((a, b) => getRank(a) - getRank(b))) {
    if (!matchesSegment(child, segment)) continue;
    const greedy = getRank(child) === greedyParameter;
    const found = findNode(child, greedy ? [] : rest);
    if (!found) continue;
    if (getRank(child) === fixed) return found;
    const name = child.part.replace(/^\{|\+?\}$/g, '');
    const value = decodeSegment(greedy ? segments.join('/') : segment);
    return { ...found, pathParameters: { [name]: value, ...found.pathParameters } };
  }
  return undefined;
}

const fixed = 0;
const parameter = 1;
const greedyParameter = 2;

const getRank = ({ part }: PathNode<unknown>) =>
  part.endsWith('+}') ? greedyParameter : part.startsWith('{') ? parameter : fixed;

const matchesSegment = (node: PathNode<unknown>, segment: string) =>
  getRank(node) === fixed
    ? node.part === segment
    : getRank(node) === greedyParameter || segment !== '';

function decodeSegment(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
