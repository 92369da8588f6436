import {
  block,
  changeGroups,
  create,
  findContact,
  findReaders,
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

export const beginnings = [create, send, send, update, update];

/** Commands that add data are more frequent than commands that remove it. */
export const commands = [
  ...[create, create, send, send, send],
  ...[
    retrieveConversation,
    findContact,
    findContact,
    findReaders,
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
  ...[removeMessage, removeConversation, changeGroups, block, block],
];
