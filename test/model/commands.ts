import {
  changeGroups,
  create,
  findContact,
  listWithFilters,
  removeConversation,
  retrieve as retrieveConversation,
  update,
} from './conversation-commands.ts';
import {
  edit,
  listAll,
  listOne,
  react,
  removeMessage,
  retrieve,
  send,
} from './message-commands.ts';

/** What fills the table. */
export const beginnings = [create, send, send, update, update];

/** Everything that people do. What fills the table is likelier than what empties it. */
export const commands = [
  ...[create, create, send, send, send],
  ...[
    retrieveConversation,
    findContact,
    findContact,
    edit,
    react,
    retrieve,
    listOne,
    listAll,
    listWithFilters,
    listWithFilters,
    update,
    update,
  ],
  ...[removeMessage, removeConversation, changeGroups],
];
