import type { TableDescription } from '@aws-sdk/client-dynamodb';
import type { TableProperties } from './properties.ts';

/** Returns how the existing table differs from the wanted one; empty if equal. */
export function tableDifference(existing: TableDescription, wanted: TableProperties) {
  const aspects = {
    keys: [existing.KeySchema, wanted.KeySchema],
    indexes: [
      existing.GlobalSecondaryIndexes?.map(indexText).sort(),
      wanted.GlobalSecondaryIndexes.map(indexText).sort(),
    ],
    'key attributes': [
      existing.AttributeDefinitions?.map(attributeText).sort(),
      wanted.AttributeDefinitions.map(attributeText).sort(),
    ],
    'stream images': [
      existing.StreamSpecification?.StreamViewType,
      wanted.StreamSpecification?.StreamViewType,
    ],
  };
  return Object.entries(aspects)
    .filter(([, [is, shouldBe]]) => JSON.stringify(is ?? []) !== JSON.stringify(shouldBe ?? []))
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

const indexText = ({ IndexName, KeySchema, Projection }: DescribedIndex) =>
  JSON.stringify([
    IndexName,
    KeySchema?.map(({ AttributeName, KeyType }) => [AttributeName, KeyType]),
    Projection?.ProjectionType,
    Projection?.NonKeyAttributes?.toSorted(),
  ]);

const attributeText = ({
  AttributeName,
  AttributeType,
}: {
  AttributeName?: string | undefined;
  AttributeType?: string | undefined;
}) => `${AttributeName} ${AttributeType}`;
