import { createSign } from 'node:crypto';

const { SERVICE_ACCOUNT, DEVICES_URL, FCM_URL } = process.env;
const account = JSON.parse(SERVICE_ACCOUNT);

/** Sends a data message without text to the devices of a new message's recipients. */
export async function handler({ detail }) {
  const { conversation_id, message_id, sender_id, created_by, contact_id, group_id } = detail;
  // A deleted message has no sender.
  if (!sender_id) return;
  const contacts = group_id ? [contact_id] : [created_by, contact_id];
  const owners = contacts.filter((id) => id && id !== sender_id).map(toContact);
  if (group_id) owners.push(`groups/${encodeURIComponent(group_id)}`);
  const lists = [toContact(sender_id), ...owners].map((owner) => call(`${DEVICES_URL}/${owner}`));
  const [own, ...found] = await Promise.all(lists);
  const tokens = new Set(found.flat()).difference(new Set(own));
  const headers = { Authorization: `Bearer ${await getAccessToken()}` };
  const url = `${FCM_URL}/v1/projects/${account.project_id}/messages:send`;
  const data = { conversation_id, message_id, sender_id };
  const send = (token) => call(url, { method: 'POST', headers, body: toBody({ token, data }) });
  await Promise.all([...tokens].map(send));
}

const toContact = (id) => `contacts/${encodeURIComponent(id)}`;
const toBody = (message) => JSON.stringify({ message });

async function call(url, options) {
  const response = await fetch(url, options);
  // 404: the owner has no devices, or the app was removed from the device.
  if (response.status === 404) return [];
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.json();
}

async function getAccessToken(now = Math.floor(Date.now() / 1000)) {
  const { client_email: iss, private_key, token_uri: aud } = account;
  const scope = 'https://www.googleapis.com/auth/firebase.messaging';
  const toPart = (part) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const unsigned = [{ alg: 'RS256' }, { iss, scope, aud, iat: now, exp: now + 600 }].map(toPart);
  const text = unsigned.join('.');
  const signature = createSign('RSA-SHA256').update(text).sign(private_key, 'base64url');
  const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' };
  const body = new URLSearchParams({ ...grant, assertion: `${text}.${signature}` });
  return (await call(aud, { method: 'POST', body })).access_token;
}
