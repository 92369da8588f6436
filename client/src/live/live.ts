import type { Client } from '../client.ts';
import type { LiveInbox, LiveOptions } from './types.ts';

/** The caller's inbox, kept up to date until it is closed. */
export function live(_client: Client, _options: LiveOptions = {}): LiveInbox {
  throw new Error('To come.');
}
