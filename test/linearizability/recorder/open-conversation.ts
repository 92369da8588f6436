import * as v from 'valibot';
import { createConversation } from '../../../shared/contract/operations.ts';

const maxAttempts = 20;

/**
 * Creates a conversation and returns its id. Retries after injected faults. Throws if all attempts
 * fail.
 */
export async function openConversation(
  url: string,
  token: string,
  contactId: string,
): Promise<string> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const response = await fetch(`${url}${createConversation.path}`, {
      method: createConversation.method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ contact_id: contactId }),
    }).catch(() => undefined);
    if (response?.status === createConversation.status) {
      return v.parse(createConversation.reply, await response.json()).id;
    }
  }
  throw new Error('The conversation could not be created.');
}
