import { findMessages, type Operation, type Request, type Shown } from '../checker/history.ts';
import { type Access, callApi } from './call-api.ts';
import { openConversation } from './open-conversation.ts';
import type { Act, Plan, Step } from './plan.ts';
import { sleep } from './sleep.ts';

type Person = 'ann' | 'bob';

export interface Stage {
  url: string;
  people: Readonly<Record<Person, { id: string; token: string }>>;
}

interface Recording {
  stage: Stage;
  conversation: string;
  operations: Operation[];
  /** Messages that any client has received, with their senders. */
  known: { message: Shown; by: Person }[];
}

/**
 * Runs the plan's clients concurrently in a new conversation. Then each person reads the final
 * state.
 */
export async function recordHistory(stage: Stage, plan: Plan): Promise<Operation[]> {
  const conversation = await openConversation(
    stage.url,
    stage.people.ann.token,
    stage.people.bob.id,
  );
  const recording: Recording = { stage, conversation, operations: [], known: [] };
  await Promise.all(plan.map((steps, n) => runSteps(recording, n, steps)));
  for (const person of ['ann', 'bob'] as const) {
    await runStep(recording, person, person, { kind: 'count' }, undefined);
    await runStep(recording, person, person, { kind: 'list', limit: 100 }, undefined);
    await runStep(recording, person, person, { kind: 'count' }, undefined);
  }
  return recording.operations;
}

async function runSteps(recording: Recording, n: number, steps: Step[]): Promise<void> {
  const person = n % 2 === 0 ? 'ann' : 'bob';
  const client = `${person}${Math.floor(n / 2) + 1}`;
  for (const [at, { act, pause, timeout }] of steps.entries()) {
    if (pause > 0) await sleep(pause);
    const text = `${client}.${at + 1}`;
    // Every third text is too large for a log entry.
    const sized = at % 3 === 0 ? text.padEnd(1100, '.') : text;
    // Only each person's first client blocks and unblocks the other person. If a person blocks and
    // unblocks concurrently, the block may take effect again (see docs/design.md).
    const isFirstClient = n < 2;
    const isBlockChange = act.kind === 'block' || act.kind === 'unblock';
    const done = isBlockChange && !isFirstClient ? ({ kind: 'count' } as const) : act;
    const request = requestOf(recording, person, done, sized);
    await runStep(recording, person, client, request, timeout);
  }
}

/** Returns the step's request with a selected message, or a list request if there is no message. */
function requestOf({ known }: Recording, person: Person, act: Act, text: string): Request {
  switch (act.kind) {
    case 'send':
      return { kind: 'send', text, keyed: false };
    case 'send with key':
      return { kind: 'send', text: `${person}-key${act.key}`, keyed: true };
    case 'delete conversation':
    case 'count':
    case 'block':
    case 'unblock':
      return act;
    case 'list': {
      const { limit, cursor: parameter, pick, peek } = act;
      const picked = known[pick % known.length];
      return parameter && picked
        ? { kind: 'list', limit, cursor: { parameter, message: picked.message }, peek }
        : { kind: 'list', limit, peek };
    }
    case 'read up to':
    case 'retrieve': {
      const picked = known[act.pick % known.length];
      return picked ? { kind: act.kind, message: picked.message } : { kind: 'list', limit: 10 };
    }
    case 'delete': {
      // Selects mostly messages that the person may delete.
      const candidates = act.pick % 8 === 0 ? known : known.filter(({ by }) => by === person);
      const picked = candidates[act.pick % candidates.length];
      return picked
        ? { kind: 'delete', message: picked.message, own: picked.by === person }
        : { kind: 'list', limit: 10 };
    }
  }
}

async function runStep(
  { stage, conversation, operations, known }: Recording,
  person: Person,
  client: string,
  request: Request,
  timeout: number | undefined,
): Promise<void> {
  const { url, people } = stage;
  const other = people[person === 'ann' ? 'bob' : 'ann'].id;
  const access: Access = { url, token: people[person].token, conversation, other };
  const invoked = performance.now();
  const ending = await callApi(access, request, timeout);
  const responded = 'reply' in ending ? performance.now() : Number.POSITIVE_INFINITY;
  const operation: Operation = { client, request, invoked, responded, ...ending };
  operations.push(operation);
  for (const message of findMessages(operation)) {
    if (known.some((one) => one.message.id === message.id)) continue;
    known.push({ message, by: message.text.startsWith('ann') ? 'ann' : 'bob' });
  }
}
