import { expect, test } from '@jest/globals';
import { toBusinessItem } from '../../../../shared/table/businesses/business-item.ts';
import { businessKey } from '../../../../shared/table/keys/business-keys.ts';
import { createBusinessRecord } from '../../../support/seeds/seed-businesses.ts';

test('Storing a listing omits null fields and empty lists, but keeps empty strings', () => {
  const media = ['https://images.example.com/1.jpg'];
  expect(toBusinessItem(createBusinessRecord('kiosk', { title: 'Kiosk' }))).toEqual({
    ...businessKey('kiosk'),
    public_id: 'kiosk',
    entries: 2,
    title: 'Kiosk',
  });
  expect(toBusinessItem(createBusinessRecord('kiosk', { media, person: [], title: '' }))).toEqual({
    ...businessKey('kiosk'),
    public_id: 'kiosk',
    entries: 2,
    title: '',
    media,
  });
});
