import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { replaceReferences, toName } from './format-references.ts';
import { formatStatements } from './format-statements.ts';

type Said = Readonly<Record<string, unknown>>;

/** What the resources say, by their types and names. */
export type Readable = ReadonlyMap<string, ReadonlyMap<string, Said>>;

const Resource = v.looseObject({
  Type: v.string(),
  Properties: v.optional(v.record(v.string(), v.unknown()), {}),
});
type Resource = v.InferOutput<typeof Resource>;
type Resources = Readonly<Record<string, Resource>>;

/** These are derived from others, and say nothing of their own. */
const derived = ['AWS::ApiGateway::Resource', 'AWS::ApiGateway::Deployment', 'AWS::CDK::Metadata'];

/**
 * A template for people: without hashes, references by name, methods by their paths, and without what follows from the
 * rest. That something goes with the stack is not said, as it is what mostly happens.
 */
export function toReadableTemplate(template: Template): Readable {
  const resources = v.parse(v.record(v.string(), Resource), template.toJSON().Resources);
  const said = Object.entries(resources)
    .filter(([, { Type }]) => !derived.includes(Type))
    .map(([id, resource]) => {
      const { Type, Properties, DependsOn, Metadata, ...policies } = resource;
      const kept = Object.entries(policies).filter(([, policy]) => policy !== 'Delete');
      const [name, own] = named[Type]?.(Properties, resources) ?? [toName(id), Properties];
      const all = { ...Object.fromEntries(kept), ...own };
      return {
        Type,
        name,
        said: v.parse(v.record(v.string(), v.unknown()), formatStatements(replaceReferences(all))),
      };
    });
  return new Map(
    [...Map.groupBy(said, ({ Type }) => Type)].map(([type, those]) => [
      type,
      new Map(those.map((one) => [one.name, one.said])),
    ]),
  );
}

/** Those that are known by something else than their logical id, with what is left to say. */
const named: Readonly<
  Record<string, (properties: Resource['Properties'], resources: Resources) => [string, Said]>
> = {
  'AWS::ApiGateway::Method': ({ HttpMethod, ResourceId, RestApiId, ...rest }, resources) => [
    `${HttpMethod} ${pathOf(ResourceId, resources) || '/'}`,
    rest,
  ],
  'AWS::ApiGateway::GatewayResponse': ({ ResponseType, RestApiId, ResponseTemplates, ...rest }) => [
    `${ResponseType} (${/"code":"([^"]*)"/.exec(JSON.stringify(ResponseTemplates).replaceAll('\\', ''))?.[1]})`,
    rest,
  ],
};

const Reference = v.object({ Ref: v.optional(v.string(), '') });

/** The path of a resource of the API; that of its root is empty. */
function pathOf(reference: unknown, resources: Resources): string {
  const { ParentId, PathPart } = resources[v.parse(Reference, reference).Ref]?.Properties ?? {};
  return PathPart === undefined ? '' : `${pathOf(ParentId, resources)}/${PathPart}`;
}
