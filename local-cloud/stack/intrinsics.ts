import * as v from 'valibot';
import { Problem } from '../../lib/problem.ts';
import { accountId, arn, partition, region } from '../account.ts';

/** Values of a resource: its `Ref`, and its `Fn::GetAtt` values by attribute. */
export interface PhysicalResource {
  ref: string;
  attributes: Readonly<Record<string, string>>;
}

export type Resolve = (value: unknown) => unknown;

export interface ResolverInput {
  stackName: string;
  parameters: ReadonlyMap<string, string>;
  resources: ReadonlyMap<string, PhysicalResource>;
}

const Pair = <First extends v.GenericSchema, Second extends v.GenericSchema>(
  first: First,
  second: Second,
) => v.strictTuple([first, second]);

const Text = v.union([v.string(), v.pipe(v.number(), v.transform(String))]);
const Texts = v.array(Text);

/**
 * Creates a resolver of intrinsic functions. The resolver throws a Problem for an unsupported
 * function or an unknown reference.
 */
export function createResolver(input: ResolverInput): Resolve {
  const functions = createFunctions(input);
  const resolve: Resolve = (value) => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [[name, argument] = ['', undefined]] = entries;
    if (entries.length === 1 && (name === 'Ref' || name.startsWith('Fn::'))) {
      const intrinsic = functions[name];
      if (!intrinsic) throw new Problem(`The local cloud does not support ${name}`);
      return intrinsic(resolve(argument));
    }
    return Object.fromEntries(entries.map(([key, item]) => [key, resolve(item)]));
  };
  return resolve;
}

type Functions = Record<string, (argument: unknown) => unknown>;

function createFunctions({ stackName, parameters, resources }: ResolverInput): Functions {
  const pseudoParameters: Record<string, string> = {
    'AWS::AccountId': accountId,
    'AWS::Partition': partition,
    'AWS::Region': region,
    'AWS::StackId': arn('cloudformation', `stack/${stackName}/local`),
    'AWS::StackName': stackName,
    'AWS::URLSuffix': 'amazonaws.com',
  };

  const ref = (name: string) => {
    const value = pseudoParameters[name] ?? parameters.get(name) ?? resources.get(name)?.ref;
    if (value === undefined) throw new Problem(`Ref ${name}: the local cloud has no value for it`);
    return value;
  };

  const attribute = (logicalId: string, name: string) => {
    const value = resources.get(logicalId)?.attributes[name];
    if (value === undefined) {
      throw new Problem(`Fn::GetAtt ${logicalId}.${name}: the local cloud has no value for it`);
    }
    return value;
  };

  const substituteVariables = (text: string) =>
    text.replace(/\$\{([^}]*)\}/g, (_, name: string) => {
      const [first = '', ...rest] = name.split('.');
      return rest.length > 0 ? attribute(first, rest.join('.')) : ref(name);
    });

  return {
    Ref: (argument) => ref(v.parse(v.string(), argument)),
    'Fn::GetAtt': (argument) => {
      const [logicalId = '', ...name] = v.parse(Texts, argument);
      return attribute(logicalId, name.join('.'));
    },
    'Fn::Join': (argument) => {
      const [separator, parts] = v.parse(Pair(v.string(), Texts), argument);
      return parts.join(separator);
    },
    'Fn::Select': (argument) => {
      const [index, items] = v.parse(Pair(v.union([v.string(), v.number()]), Texts), argument);
      const item = items[Number(index)];
      if (item === undefined) throw new Problem(`Fn::Select: there is no item ${index}`);
      return item;
    },
    'Fn::Split': (argument) => {
      const [separator, text] = v.parse(Pair(v.string(), v.string()), argument);
      return text.split(separator);
    },
    'Fn::Sub': (argument) => substituteVariables(v.parse(v.string(), argument)),
  };
}
