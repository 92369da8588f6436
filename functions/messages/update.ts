import { updateMessage } from '../../shared/contract/operations.ts';
import { serve } from '../../shared/http/serve.ts';
import { getContact } from '../../shared/table/contacts.ts';
import { toMessageReply } from '../../shared/table/messages/log/message-item.ts';
import { changeMessage } from '../../shared/table/messages/write/change-message.ts';

export const handler = serve(updateMessage, async ({ caller, path, body, ifMatch }) => {
  const { message, attachments, reactions } = body;
  const change = {
    message,
    attachments: attachments === null ? [] : attachments,
    reactions: reactorsByName(reactions),
  };
  const changed = await changeMessage(path.message_id, caller, change, ifMatch);
  return toMessageReply(await getContact(changed.sent_by), changed);
});

/** Merges maps that may contain the same name into one. */
function reactorsByName(
  reactions: Record<string, string[]> | Record<string, string[]>[] = [],
): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const [name, reactors] of [reactions].flat().flatMap(Object.entries<string[]>)) {
    byName.set(name, [...(byName.get(name) ?? []), ...reactors]);
  }
  return byName;
}
