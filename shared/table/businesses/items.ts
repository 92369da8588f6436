import * as v from 'valibot';
import { BusinessRecord } from '../../contract/business.ts';
import { complete } from '../../contract/complete.ts';
import type { Item } from '../calls/access.ts';
import { activeBusinesses, businessKey, type Key } from '../keys/keys.ts';

/** A listing's item: what is set of the record, free-form attributes as JSON text so that they come back as given. */
export function itemOfBusiness(record: BusinessRecord): Item & Key {
  const key = businessKey(record.public_id);
  return {
    ...Object.fromEntries(Object.entries(record).filter(([, value]) => isSet(value))),
    ...(record.attributes && { attributes: JSON.stringify(record.attributes) }),
    ...key,
    ...(record.status === 'active' && { gsi1pk: activeBusinesses, activity: key.sk }),
  };
}

const isSet = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0);

export function businessOfItem(item: Item): BusinessRecord {
  const { pk, sk, gsi1pk, activity, attributes, ...fields } = item;
  const freeForm = typeof attributes === 'string' ? JSON.parse(attributes) : null;
  return v.parse(BusinessRecord, complete(BusinessRecord, { ...fields, attributes: freeForm }));
}
