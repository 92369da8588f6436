import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { isObject } from '../../contract/objects.ts';
import type { Item } from './access.ts';

const Image = v.optional(v.custom<Record<string, AttributeValue>>(isObject));

/** An item as the table's stream has it, as the table's other calls have it. */
export function itemOf(image: unknown): Item | undefined {
  const stored = v.parse(Image, image);
  return stored && unmarshall(stored);
}
