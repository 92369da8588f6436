import { join } from 'node:path';
import * as v from 'valibot';
import { demoPeople } from '../../demo/people.ts';
import { Problem } from '../../lib/problem.ts';
import type { Cloud } from '../../local-cloud/cloud.ts';
import { importBusinesses } from '../businesses/import-businesses.ts';
import { toLocalServiceConfig } from '../stage/running-stage.ts';
import { openTable } from '../stage/stage-table.ts';

type Person = keyof typeof demoPeople;

const Created = v.object({ id: v.string() });

const demoBusinesses = join(import.meta.dirname, '../../demo/businesses.ndjson');

/**
 * Fills an empty table with the demo businesses and, through the API, a conversation of ann and bob
 * and one of the group `team`. Returns the id of the first.
 */
export async function makeDemoData({
  url,
  token,
  tableEndpoint,
  tableName,
}: Cloud): Promise<string> {
  await importBusinesses({
    file: demoBusinesses,
    table: openTable(tableName, toLocalServiceConfig(tableEndpoint)),
  });
  const authorizations = {
    ann: `Bearer ${await token('ann', demoPeople.ann)}`,
    bob: `Bearer ${await token('bob', demoPeople.bob)}`,
    carol: `Bearer ${await token('carol', demoPeople.carol)}`,
  };
  const post = async (person: Person, path: string, body: object): Promise<string> => {
    const reply = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: authorizations[person], 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Problem(`Cannot create the demo data: ${path} responded ${text}`);
    return v.parse(Created, JSON.parse(text)).id;
  };
  const send = (person: Person, conversation_id: string, message: string) =>
    post(person, '/v1/messages', { conversation_id, message });

  const lunch = await post('ann', '/v1/conversations', { contact_id: 'bob' });
  await send('ann', lunch, 'Hi Bob, are you free for lunch on Friday?');
  await send('ann', lunch, 'The new place by the river has a table at noon.');
  await send('bob', lunch, 'Gladly! See you there.');
  const team = await post('bob', '/v1/conversations', { group_id: 'team' });
  await send('bob', team, 'The release is out. Thank you all!');
  await send('ann', team, 'Well done, team.');
  return lunch;
}
