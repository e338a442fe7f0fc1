import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildApp, type BuildAppOptions } from 'fauxqs';
import { type AwsResponse, type Backend, endToEnd } from '../../endpoint/http.ts';
import { ACCOUNT_ID, REGION } from '../../identity.ts';
import { type GroupedQueue, handOutGroups } from './patches/message-groups.ts';
import { withTraces } from './patches/trace-headers.ts';

type Stores = NonNullable<BuildAppOptions['stores']>;
type StoreClasses = {
  SqsStore: new () => Stores['sqsStore'];
  SnsStore: new () => Stores['snsStore'];
  S3Store: new () => Stores['s3Store'];
  PersistenceManager: new (folder: string) => NonNullable<Stores['sqsStore']['persistence']> & Manager;
};
type Manager = {
  load(...stores: [Stores['sqsStore'], Stores['snsStore'], Stores['s3Store']]): void;
  updateMessageReady(messageId: string): void;
  close(): void;
};

export type Fauxqs = { s3: Backend; sqs: Backend; close: () => Promise<void> };

/**
 * SQS and S3 in this process. Not by the package's `startFauxqs`, which binds every interface; nothing listens
 * here, the endpoints hand their requests in.
 */
export async function startFauxqs(dataDirectory?: string): Promise<Fauxqs> {
  await allowEveryCharacter();
  await (grouped ??= handOutWholeGroups());
  const kept = dataDirectory === undefined ? undefined : await keptStores(dataDirectory);
  const app = buildApp({ logger: false, defaultRegion: REGION, ...(kept ? { stores: kept.stores } : {}) });
  await app.ready();
  const backend: Backend = async ({ method, url, headers, body }) => {
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: endToEnd(headers),
      payload: body,
    });
    return { status: answer.statusCode, headers: endToEnd(answer.headers), body: answer.rawPayload };
  };
  const sqs: Backend = async (request) => withReachableUrls(await backend(request), request.headers.host);
  return {
    s3: backend,
    sqs: withTraces(sqs),
    close: async () => {
      await app.close();
      kept?.close();
    },
  };
}

/**
 * Queue URLs as they are reached now. The package makes names like `sqs.eu-central-1.localhost`, which not
 * every machine resolves, and keeps them beyond the port they were made on.
 */
function withReachableUrls(answer: AwsResponse, host: string | undefined): AwsResponse {
  const body = answer.body.toString();
  if (!body.includes('"QueueUrl')) return answer;
  const reachable = body.replace(QUEUE_ORIGIN, `http://${String(host)}`);
  const headers = { ...answer.headers, 'content-length': Buffer.byteLength(reachable) };
  return { ...answer, headers, body: reachable };
}

const QUEUE_ORIGIN = new RegExp(`http://[^"/]+(?=/${ACCOUNT_ID}/)`, 'g');

/** The package exports no way to persist without listening; this does what its own `startFauxqs` does. */
async function keptStores(folder: string): Promise<{ stores: Stores; close: () => void }> {
  await mkdir(folder, { recursive: true });
  const { SqsStore, SnsStore, S3Store, PersistenceManager } = await internals();
  const stores: Stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
  const manager = new PersistenceManager(folder);
  // The package's own writes a null where its table allows none, and the message is lost. Without it, one that was made
  // visible early is visible after a restart when it would have been without that.
  manager.updateMessageReady = () => undefined;
  manager.load(stores.sqsStore, stores.snsStore, stores.s3Store);
  for (const store of Object.values(stores)) store.persistence = manager;
  for (const queue of stores.sqsStore.allQueues()) queue.persistence = manager;
  return { stores, close: () => manager.close() };
}

async function internals(): Promise<StoreClasses> {
  const files = ['sqs/sqsStore.js', 'sns/snsStore.js', 's3/s3Store.js', 'persistence.js'];
  const modules = await Promise.all(files.map(internal));
  return Object.assign({}, ...modules) as StoreClasses;
}

async function internal(file: string): Promise<object> {
  const dist = join(import.meta.dirname, '../../../../node_modules/fauxqs/dist');
  return (await import(pathToFileURL(join(dist, file)).href)) as object;
}

/** All queues of this process have one prototype. */
let grouped: Promise<void> | undefined;

async function handOutWholeGroups(): Promise<void> {
  const { SqsQueue } = (await internal('sqs/sqsStore.js')) as { SqsQueue: { prototype: GroupedQueue } };
  handOutGroups(SqsQueue.prototype);
}

/** What the API reference of SendMessage does not list: also above U+FFFF, where the package takes nothing. */
const INVALID = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

async function allowEveryCharacter(): Promise<void> {
  const types = (await internal('sqs/sqsTypes.js')) as { INVALID_MESSAGE_BODY_CHAR: RegExp };
  types.INVALID_MESSAGE_BODY_CHAR.test = (text) => INVALID.test(text);
}
