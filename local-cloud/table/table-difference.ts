import type { TableDescription } from '@aws-sdk/client-dynamodb';
import type { TableProperties } from './table-properties.ts';

/**
 * Returns the aspects in which the tables differ, such as `keys and indexes`; an empty string if
 * there are none.
 */
export function describeTableDifference(existing: TableDescription, wanted: TableProperties) {
  const aspects = {
    keys: [existing.KeySchema, wanted.KeySchema],
    indexes: [
      existing.GlobalSecondaryIndexes?.map(formatIndex).sort(),
      wanted.GlobalSecondaryIndexes.map(formatIndex).sort(),
    ],
    'key attributes': [
      existing.AttributeDefinitions?.map(formatAttribute).sort(),
      wanted.AttributeDefinitions.map(formatAttribute).sort(),
    ],
    'stream images': [
      existing.StreamSpecification?.StreamViewType,
      wanted.StreamSpecification?.StreamViewType,
    ],
  };
  return Object.entries(aspects)
    .filter(
      ([, [actual, expected]]) => JSON.stringify(actual ?? []) !== JSON.stringify(expected ?? []),
    )
    .map(([aspect]) => aspect)
    .join(' and ');
}

interface DescribedIndex {
  IndexName?: string | undefined;
  KeySchema?: { AttributeName?: string | undefined; KeyType?: string | undefined }[] | undefined;
  Projection?:
    | { ProjectionType?: string | undefined; NonKeyAttributes?: string[] | undefined }
    | undefined;
}

const formatIndex = ({ IndexName, KeySchema, Projection }: DescribedIndex) =>
  JSON.stringify([
    IndexName,
    KeySchema?.map(({ AttributeName, KeyType }) => [AttributeName, KeyType]),
    Projection?.ProjectionType,
    Projection?.NonKeyAttributes?.toSorted(),
  ]);

const formatAttribute = ({
  AttributeName,
  AttributeType,
}: {
  AttributeName?: string | undefined;
  AttributeType?: string | undefined;
}) => `${AttributeName} ${AttributeType}`;
