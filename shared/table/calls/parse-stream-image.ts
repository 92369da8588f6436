import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { isObject } from '../../contract/schema/objects.ts';
import type { Item } from './access.ts';

const Image = v.optional(v.custom<Record<string, AttributeValue>>(isObject));

/** Converts an item of the table's stream to the form that other calls return. */
export function parseStreamImage(image: unknown): Item | undefined {
  const stored = v.parse(Image, image);
  return stored && unmarshall(stored);
}
