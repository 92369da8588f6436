import { expect, test } from '@jest/globals';
import { partiesOf, rememberParties } from '../../../../shared/table/feed/participants.ts';
import { ann } from '../../../support/people.ts';
import { create } from '../../../support/steps.ts';
import '../../../support/table.ts';

test('Who takes part is known also of a conversation whose place in the memory another one takes that is asked for with it', async () => {
  const [oldest, unknown] = [
    await create(ann, { contact_id: 'bob' }),
    await create(ann, { contact_id: 'carol' }),
  ];
  rememberParties(oldest.id, { created_by: 'ann', contact_id: 'bob' });
  for (let n = 1; n < 20_000; n++) rememberParties(`another-${n}`, { created_by: 'ann' });

  const partiesIn = await partiesOf([oldest.id, unknown.id]);

  expect([partiesIn(oldest.id), partiesIn(unknown.id)]).toEqual([
    { created_by: 'ann', contact_id: 'bob' },
    { created_by: 'ann', contact_id: 'carol' },
  ]);
});
