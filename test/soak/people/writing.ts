import { randomUUID } from 'node:crypto';
import { deleteMessage, sendMessage, updateMessage } from '../../../shared/contract/operations.ts';
import { chooseConversation, chooseMessage, chooseMostlyOwn } from './choose.ts';
import { once } from './once.ts';
import type { Scene } from './person.ts';

const attachments = [{ name: 'menu.pdf', url: 'https://files.example.com/menu.pdf', size: 1024 }];

function newMessage({ newText, random }: Scene, conversation_id: string) {
  return {
    conversation_id,
    message: newText(),
    ...(random.happens(0.1) && { attachments }),
  };
}

export async function send(scene: Scene): Promise<void> {
  const conversation = chooseConversation(scene);
  if (!conversation) return;
  const { ask, person, random } = scene;
  // Now and then several in a row, as people write.
  for (let left = random.happens(0.2) ? random.integer(2, 5) : 1; left > 0; left--) {
    await ask(person.who, sendMessage, { body: newMessage(scene, conversation.id) });
  }
}

export async function sendOnce(scene: Scene): Promise<void> {
  const conversation = chooseConversation(scene);
  if (conversation) await once(scene, sendMessage, newMessage(scene, conversation.id));
}

/** A key that is used for something else is refused. */
export async function reuseKey(scene: Scene): Promise<void> {
  const conversation = chooseConversation(scene);
  if (!conversation) return;
  const headers = { 'Idempotency-Key': randomUUID() };
  for (let times = 0; times < 2; times++) {
    const body = newMessage(scene, conversation.id);
    await scene.ask(scene.person.who, sendMessage, { body, headers });
  }
}

export async function removeMessage(scene: Scene): Promise<void> {
  const message = chooseMostlyOwn(scene, chooseConversation(scene));
  if (!message) return;
  await scene.ask(scene.person.who, deleteMessage, { path: { message_id: message.id } });
}

export async function edit(scene: Scene): Promise<void> {
  const message = chooseMostlyOwn(scene, chooseConversation(scene));
  if (!message) return;
  await scene.ask(scene.person.who, updateMessage, {
    path: { message_id: message.id },
    body: { message: scene.newText() },
  });
}

const reactionNames = ['ok', '🎉', 'heart', 'toString'];

export async function react(scene: Scene): Promise<void> {
  const { random, person, ask } = scene;
  const message = chooseMessage(scene, chooseConversation(scene), false);
  if (!message) return;
  const names = reactionNames.filter(() => random.happens(0.4));
  const reactions = Object.fromEntries(
    names.map((name) => [name, random.happens(0.6) ? [person.who.id] : []]),
  );
  await ask(person.who, updateMessage, { path: { message_id: message.id }, body: { reactions } });
}
