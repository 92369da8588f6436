/** `npm run -s token -- ann --groups team`: prints a token of the local issuer, and nothing else. */
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { localIssuer, type TokenClaims } from '../lib/local/identity.ts';
import { messageOf, Problem } from '../lib/local/problem.ts';
import { OutsideId } from '../shared/contract/values.ts';

const usage = `npm run -s token -- CONTACT_ID [options]
  --groups A,B          groups that the contact belongs to
  --expires-in SECONDS  43200, twelve hours; --expires-in=-1 is over already
  --username NAME       the contact id
  --phone-number NUMBER, --picture URL
  --data DIR            where npm start keeps its keys: .local`;

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      groups: { type: 'string' },
      'expires-in': { type: 'string' },
      username: { type: 'string' },
      'phone-number': { type: 'string' },
      picture: { type: 'string' },
      data: { type: 'string', default: '.local' },
      help: { type: 'boolean', default: false },
    },
  });
  const [contactId, ...others] = positionals;
  if (values.help) return undefined;
  if (contactId === undefined || others.length > 0) throw new Problem('Give one contact id.');
  const claims: TokenClaims = {
    ...(values.groups !== undefined && {
      groups: values.groups.split(',').map((group) => outsideId('group', group)),
    }),
    ...(values['expires-in'] !== undefined && { expires_in: seconds(values['expires-in']) }),
    username: values.username ?? contactId,
    ...(values['phone-number'] !== undefined && { phone_number: values['phone-number'] }),
    ...(values.picture !== undefined && { picture: values.picture }),
  };
  return { contactId: outsideId('contact id', contactId), claims, directory: values.data };
}

function outsideId(what: string, text: string): string {
  const parsed = v.safeParse(OutsideId, text);
  if (!parsed.success) throw new Problem(`The ${what} '${text}' ${parsed.issues[0].message}.`);
  return parsed.output;
}

function seconds(text: string): number {
  if (!/^-?\d{1,10}$/.test(text)) throw new Problem(`'${text}' is no number of seconds.`);
  return Number(text);
}

async function main(): Promise<void> {
  const given = readArguments();
  if (!given) {
    console.log(usage);
    return;
  }
  const { token } = await localIssuer(given.directory);
  console.log(await token(given.contactId, given.claims));
}

main().catch((error) => {
  console.error(`${messageOf(error)}\n\n${usage}`);
  process.exitCode = 1;
});
