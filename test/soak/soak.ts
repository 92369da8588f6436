import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLocalIssuer } from '../../local-cloud/issuer.ts';
import { pause } from '../../local-cloud/streams/stream-poller.ts';
import { importDemoBusinesses } from '../support/processes/import-demo-businesses.ts';
import { startChecker } from './checker/checker.ts';
import { formatViolation } from './checker/format-exchange.ts';
import { createApiClient } from './client/api-client.ts';
import { createRandom } from './client/seeded-random.ts';
import { createStatistics, type Statistics } from './client/statistics.ts';
import { type CloudProcess, startCloudProcess } from './cloud/cloud-process.ts';
import { awaitPurge, countUnpurged } from './final-checks/await-purge.ts';
import { awaitEqualFiles, compareFiles, type FileFigures } from './final-checks/check-files.ts';
import { checkTable, type TableFigures } from './final-checks/check-table.ts';
import { expireUploads } from './final-checks/expire-uploads.ts';
import { readBack } from './final-checks/read-back.ts';
import { type Sample, sampleMemory } from './memory/sample-memory.ts';
import type { Model } from './model/model.ts';
import {
  createPeople,
  createTokenSource,
  type Person,
  type Session,
  strangerIds,
} from './session/session.ts';
import { requestByExample, uncheckedOperations } from './workload/any-operation.ts';
import { createFeedReader, type FeedReader, readIntermittently } from './workload/feed-reader.ts';
import { attack, finalAttack, hostilePerson } from './workload/hostile-traffic.ts';
import { runSession } from './workload/traffic.ts';

export interface SoakOptions {
  milliseconds: number;
  people: number;
  seed: number;
  /** Folder for the keys and the synthesized stacks. The table is in memory. */
  dataDirectory: string;
  /** Maximum milliseconds to wait for the purge at the end. 0 skips the wait. */
  purgeMilliseconds: number;
  /** Ends the traffic early. The final checks still run. */
  stop: AbortSignal;
  log: (line: string) => void;
}

export interface SoakOutcome {
  violations: number;
  statistics: Statistics;
  /** Milliseconds of traffic. */
  duration: number;
  samples: Sample[];
  conversations: number;
  messages: number;
  table: TableFigures;
  files: FileFigures;
  /** Number of items still to purge when the traffic ends. */
  toPurge: number;
  /** Number of items still to purge after the wait; undefined without a wait. */
  leftOver?: number;
}

/**
 * Number of violations after which the traffic ends. The run does not log later violations, because
 * most result from the first.
 */
const maxShown = 10;

/** Milliseconds within which a write with an unknown outcome may still take effect. */
const settleMilliseconds = 15_000;

/** Starts a local cloud, runs concurrent clients and checks their replies against a model. */
export async function soak(options: SoakOptions): Promise<SoakOutcome> {
  const { log, dataDirectory } = options;
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  let violations = 0;
  const { model, begin } = startChecker((violation) => {
    violations += 1;
    if (violations <= maxShown) log(formatViolation(violation));
    if (violations === maxShown) stopping.abort();
  });
  const cloud = await startCloudProcess(dataDirectory, log);
  try {
    model.businesses = await importDemoBusinesses(cloud);
    const statistics = createStatistics();
    const sendRequest = createApiClient(cloud.url, { model, begin }, statistics);
    const tokenFor = createTokenSource(await openLocalIssuer(dataDirectory));
    const random = createRandom(options.seed, 'people');
    const honest = await createPeople(options.people, random, tokenFor);
    const hostile = await hostilePerson(tokenFor);
    const people = [...honest, hostile];

    logStart(options, honest.length);
    const stopMemory = sampleMemory(cloud.pid, statistics.requests);
    const startedAt = performance.now();
    const end = () => stopping.abort();
    const timer = setTimeout(end, options.milliseconds);
    options.stop.addEventListener('abort', end);
    const session = sessionsOf(options, stopping, { people, model, sendRequest, tokenFor });
    const devices = honest.map((person) => session(person, 'feed'));
    const readers = devices.map((device) => ({ device, reader: createFeedReader(device) }));
    await Promise.all([
      ...traffic(people, hostile, session),
      ...readers.map(({ device, reader }) => readIntermittently(reader, device)),
    ]);
    clearTimeout(timer);
    options.stop.removeEventListener('abort', end);
    const duration = performance.now() - startedAt;
    const samples = stopMemory();

    const toPurge = await countUnpurged(cloud, model);
    log('The traffic has ended. Running the final checks …');
    await finishTraffic(session(hostile, 'last'));
    const feedReaders = readers.map(({ reader }) => reader);
    await checkFeeds(model, feedReaders);
    const callers = people.map(({ caller }) => caller);
    await readBack(model, sendRequest, callers);
    const contacts = new Set([...callers.map(({ id }) => id), ...strangerIds]);
    const table = await checkTable(cloud, model, contacts);
    const leftOver = await awaitPurged(cloud, model, options);
    const files = await checkFiles(cloud, model, options);
    return {
      ...{ statistics, duration, samples, table, files, toPurge },
      violations,
      conversations: model.conversations.size,
      messages: model.messages.size,
      ...(leftOver !== undefined && { leftOver }),
    };
  } finally {
    await cloud.stop();
  }
}

function logStart({ log, seed }: SoakOptions, people: number): void {
  log(`${people} people and one hostile client, seed ${seed}.`);
  for (const { id } of uncheckedOperations)
    log(`NO MODEL of ${id}: its replies are checked only against the contract.`);
}

/** Sends the requests that random traffic may have omitted, and waits for pending writes. */
async function finishTraffic(session: Session): Promise<void> {
  for (const row of uncheckedOperations) await requestByExample(session, row);
  await finalAttack(session);
  await awaitInFlight(session.model);
}

type SessionOf = (person: Person, device: string) => Session;

/** Returns a function that creates sessions. Each device has a separate random sequence. */
function sessionsOf(
  options: SoakOptions,
  stopping: AbortController,
  shared: Pick<Session, 'people' | 'model' | 'sendRequest' | 'tokenFor'>,
): SessionOf {
  const { signal } = stopping;
  let texts = 0;
  const newText = () => {
    texts += 1;
    // Every eighth text is too large for a log entry.
    return `Message ${texts} 🦉${texts % 8 === 0 ? '.'.repeat(2000) : ''}`;
  };
  const think = (milliseconds: number) => pause(milliseconds, signal);
  return (person, device) => ({
    ...shared,
    ...{ person, newText, think },
    random: createRandom(options.seed, `${person.caller.id} ${device}`),
    stopping: signal,
  });
}

/** Starts two devices per person. Both devices of the hostile person send hostile requests. */
const traffic = (people: readonly Person[], hostile: Person, session: SessionOf) =>
  people.map((person) =>
    person === hostile
      ? Promise.all([attack(session(person, 'first')), attack(session(person, 'second'))])
      : runSession(session(person, 'first'), session(person, 'second')),
  );

/** Maximum event delivery lag on a slow machine. */
const feedTimeoutMilliseconds = 60_000;

/**
 * Checks that the state derived from each feed equals the lists. Must run before `readBack`, which
 * marks messages as read.
 */
async function checkFeeds(model: Model, readers: readonly FeedReader[]): Promise<void> {
  const limit = performance.now() + feedTimeoutMilliseconds;
  for (const { differences } of readers) {
    let found = await differences();
    while (found.length > 0 && performance.now() < limit) {
      await sleep(1000);
      found = await differences();
    }
    for (const one of found.slice(0, 3))
      model.report({ expected: `feed and lists to be equal: ${one}` });
  }
}

/** Waits until writes with an unknown outcome can no longer take effect. */
async function awaitInFlight({ conversations, creations }: Model): Promise<void> {
  const uncertain = [...conversations.values()].filter(({ sending }) => sending.inFlight > 0);
  if (uncertain.length + creations.size > 0) await sleep(settleMilliseconds);
  for (const { sending } of uncertain) sending.inFlight = 0;
}

/**
 * Reports differences between the bucket and the table. If the run waits for the purge, expires
 * unsent uploads first. Otherwise, files without a message may remain.
 */
async function checkFiles(
  cloud: CloudProcess,
  { report }: Model,
  { purgeMilliseconds, dataDirectory }: SoakOptions,
): Promise<FileFigures> {
  if (purgeMilliseconds > 0) await expireUploads(cloud);
  const files = await (purgeMilliseconds > 0
    ? awaitEqualFiles(cloud, dataDirectory, purgeMilliseconds)
    : compareFiles(cloud, dataDirectory, false));
  for (const one of files.differences) report({ expected: `no ${one}` });
  return files;
}

async function awaitPurged(
  cloud: CloudProcess,
  model: Model,
  { purgeMilliseconds, log }: SoakOptions,
): Promise<number | undefined> {
  if (purgeMilliseconds === 0) return undefined;
  return awaitPurge(cloud, model, purgeMilliseconds, (leftOver) =>
    log(`Items that the purge must still remove: ${leftOver}`),
  );
}
