import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { saveBusinesses } from '../../../commands/businesses/save-businesses.ts';
import type { StageTable } from '../../../commands/stage/stage-table.ts';
import { BusinessRecord } from '../../../shared/contract/business/business.ts';
import { fillMissingFields } from '../../../shared/contract/schema/fill-missing-fields.ts';
import { env } from '../../../shared/env.ts';

export const businessTable: StageTable = {
  client: DynamoDBDocumentClient.from(new DynamoDBClient()),
  name: env('TABLE_NAME'),
};

/** Returns a record. Fields that `details` omits are null or empty. */
export const createBusinessRecord = (public_id: string, details: object = {}): BusinessRecord =>
  v.parse(BusinessRecord, fillMissingFields(BusinessRecord, { public_id, ...details }));

export const seedBusinesses = (...records: BusinessRecord[]) =>
  saveBusinesses(businessTable, records);
