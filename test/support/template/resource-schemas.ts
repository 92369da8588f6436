import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import type { Property, PropertyType, Resource } from '@aws-cdk/service-spec-types';

const database = loadAwsServiceSpecSync();

const described = (type: string): Resource | undefined =>
  database.lookup('resource', 'cloudFormationType', 'equals', type).at(0);

/**
 * Returns the faults for which CloudFormation rejects a resource: unknown types and properties,
 * missing properties, and invalid values.
 */
export function findSchemaFaults(type: string, properties: object): string[] {
  const resource = described(type);
  if (!resource) return [`${type} is not known`];
  return findPropertyFaults(properties, resource.properties, type);
}

/** Returns the name of a resource type's tag property, or undefined if it supports no tags. */
export const getTagProperty = (type: string): string | undefined => {
  const { tagInformation, properties = {} } = described(type) ?? {};
  return (
    tagInformation?.tagPropertyName ?? ('ResourceTags' in properties ? 'ResourceTags' : undefined)
  );
};

type Properties = Readonly<Record<string, Property>>;

function findPropertyFaults(value: unknown, properties: Properties, at: string): string[] {
  if (isIntrinsic(value)) return [];
  if (!isRecord(value)) return [`${at} is not an object`];
  const missing = Object.entries(properties)
    .filter(([name, { required }]) => required && value[name] === undefined)
    .map(([name]) => `${at}.${name} is missing`);
  const others = Object.entries(value).flatMap(([name, item]) => {
    const property = properties[name];
    return property
      ? findValueFaults(item, property.type, `${at}.${name}`)
      : [`${at}.${name} is not known`];
  });
  return [...missing, ...others];
}

function findValueFaults(value: unknown, type: PropertyType, at: string): string[] {
  if (isIntrinsic(value)) return [];
  const expected = (isRight: boolean, description: string) =>
    isRight ? [] : [`${at} is ${JSON.stringify(value)}, not ${description}`];
  switch (type.type) {
    case 'string': {
      if (!type.allowedValues) return expected(typeof value === 'string', 'a string');
      return expected(
        type.allowedValues.some((one) => one === value),
        type.allowedValues.join(' or '),
      );
    }
    case 'integer':
      return expected(Number.isInteger(value), 'an integer');
    case 'number':
      return expected(typeof value === 'number', 'a number');
    case 'boolean':
      return expected(typeof value === 'boolean', 'a boolean');
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((item, n) => findValueFaults(item, type.element, `${at}.${n}`))
        : expected(false, 'an array');
    case 'map':
      return isRecord(value)
        ? Object.entries(value).flatMap(([key, item]) =>
            findValueFaults(item, type.element, `${at}.${key}`),
          )
        : expected(false, 'a map');
    case 'ref':
      return findPropertyFaults(
        value,
        database.get('typeDefinition', type.reference).properties,
        at,
      );
    case 'tag':
      return expected(isRecord(value) && 'Key' in value && 'Value' in value, 'a tag');
    case 'union': {
      const faults = type.types.map((one) => findValueFaults(value, one, at));
      return faults.some((one) => one.length === 0) ? [] : (faults[0] ?? []);
    }
    default:
      return [];
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reports whether the value is an intrinsic function, which CloudFormation resolves. */
function isIntrinsic(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const [name = '', ...others] = Object.keys(value);
  return others.length === 0 && (name === 'Ref' || name.startsWith('Fn::'));
}
