import * as v from 'valibot';
import { BusinessRecord } from '../../contract/business/business.ts';
import { fillMissingFields } from '../../contract/schema/fill-missing-fields.ts';
import type { Item } from '../calls/access.ts';
import { businessKey, toActiveBusinessKeys } from '../keys/business-keys.ts';
import type { Key } from '../keys/keys.ts';
import { indexes, tableKey } from '../keys/names.ts';

/** Converts a listing to its item. Omits empty fields. Stores free-form attributes as JSON text. */
export function toBusinessItem(record: BusinessRecord): Item & Key {
  return {
    ...Object.fromEntries(Object.entries(record).filter(([, value]) => isSet(value))),
    ...(record.attributes && { attributes: JSON.stringify(record.attributes) }),
    [entriesAttribute]: entriesVersion,
    ...businessKey(record.public_id),
    ...(record.status === 'active' && toActiveBusinessKeys(record.public_id)),
  };
}

/** Version of the search entries. An import rewrites listings that have a different version. */
const entriesAttribute = 'entries';
const entriesVersion = 2;

const isSet = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0);

export function parseBusinessItem(item: Item): BusinessRecord {
  const { attributes, ...fields } = withoutKeys(item);
  const freeForm = typeof attributes === 'string' ? JSON.parse(attributes) : null;
  return v.parse(
    BusinessRecord,
    fillMissingFields(BusinessRecord, { ...fields, attributes: freeForm }),
  );
}

const withoutKeys = ({
  [tableKey.partition]: pk,
  [tableKey.sort]: sk,
  [indexes.gsi1.partition]: partition,
  [indexes.gsi1.sort]: sort,
  [entriesAttribute]: version,
  ...others
}: Item): Item => others;
