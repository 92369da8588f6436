import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { toLines } from './format-lines.ts';
import { replaceReferences, toName } from './format-references.ts';
import { formatStatements } from './format-statements.ts';

/** The lines of each resource, by type and name. */
export type ReadableTemplate = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

const Resource = v.looseObject({
  Type: v.string(),
  Properties: v.optional(v.record(v.string(), v.unknown()), {}),
});
type Resource = v.InferOutput<typeof Resource>;
type Resources = Readonly<Record<string, Resource>>;

/** Types whose resources are derived from other resources. */
const derivedTypes = [
  'AWS::ApiGateway::Resource',
  'AWS::ApiGateway::Deployment',
  'AWS::CDK::Metadata',
];

/**
 * Returns the template in readable form: without hashes and derived resources, with names in
 * references and paths for methods. Omits the deletion policy Delete, which most resources have.
 * `*` stands for the name of the resource's function.
 */
export function toReadableTemplate(template: Template): ReadableTemplate {
  const resources = v.parse(v.record(v.string(), Resource), template.toJSON().Resources);
  const functions = Object.entries(resources)
    .filter(([, { Type }]) => Type === 'AWS::Lambda::Function')
    .map(([id]) => toName(id));
  const readable = Object.entries(resources)
    .filter(([, { Type }]) => !derivedTypes.includes(Type))
    .map(([id, resource]) => {
      const { Type, Properties, DependsOn, Metadata, ...policies } = resource;
      const retained = Object.entries(policies).filter(([, policy]) => policy !== 'Delete');
      const [name, own] = named[Type]?.(Properties, resources) ?? [toName(id), Properties];
      const all = { ...Object.fromEntries(retained), ...own };
      const lines = toLines(
        v.parse(v.record(v.string(), v.unknown()), formatStatements(replaceReferences(all))),
      );
      return { Type, name, lines: hideOwner(lines, findOwner(name, lines, functions)) };
    });
  return new Map(
    [...Map.groupBy(readable, ({ Type }) => Type)].map(([type, members]) => [
      type,
      new Map(members.map(({ name, lines }) => [name, lines])),
    ]),
  );
}

/** Returns the function that the resource invokes or whose name is in the resource's name. */
const findOwner = (name: string, lines: readonly string[], functions: readonly string[]) =>
  functions
    .filter((one) => name.includes(one) || lines.some((line) => line.includes(`/<${one}Live>/`)))
    .sort((a, b) => b.length - a.length)[0];

/** Replaces the owner's name in references, and the owner's id (messages/send), with `*`. */
function hideOwner(lines: readonly string[], owner: string | undefined): string[] {
  if (owner === undefined) return [...lines];
  const id = owner.replace(/(?<=.)[A-Z]/g, '[-/]$&').toLowerCase();
  return lines.map((line) =>
    line
      .replace(new RegExp(`(<\\w*?)${owner}(?=\\w*[.>])`, 'g'), '$1*')
      .replace(new RegExp(`(?<= (?:of|operation) )${id}(?= )`, 'g'), '*'),
  );
}

/**
 * Functions, by resource type, that return a resource's name and its other properties. Resources of
 * other types are named by their logical ids.
 */
const named: Readonly<
  Record<
    string,
    (properties: Resource['Properties'], resources: Resources) => [string, Resource['Properties']]
  >
> = {
  'AWS::ApiGateway::Method': ({ HttpMethod, ResourceId, RestApiId, ...rest }, resources) => [
    `${HttpMethod} ${getApiPath(ResourceId, resources) || '/'}`,
    rest,
  ],
  'AWS::ApiGateway::GatewayResponse': ({ ResponseType, RestApiId, ResponseTemplates, ...rest }) => [
    `${ResponseType} (${/"code":"([^"]*)"/.exec(JSON.stringify(ResponseTemplates).replaceAll('\\', ''))?.[1]})`,
    rest,
  ],
};

const Reference = v.object({ Ref: v.optional(v.string(), '') });

/** Returns the path of an API resource; '' for the root. */
function getApiPath(reference: unknown, resources: Resources): string {
  const { ParentId, PathPart } = resources[v.parse(Reference, reference).Ref]?.Properties ?? {};
  return PathPart === undefined ? '' : `${getApiPath(ParentId, resources)}/${PathPart}`;
}
