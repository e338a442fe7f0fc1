/** The description of the running local stack, and its pushes and faults. */
import { services, type FaultyService } from '../aws/endpoint/fault-schema.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { bodyOf, ClientError, exchange } from '../../../client/http.ts';
import { nothingSchema } from '../../../client/contract.ts';

const tenantSchema = v.looseObject({
  tenantId: v.string(),
  name: v.string(),
  clientId: v.string(),
  clientSecret: v.string(),
});

const exportSchema = v.looseObject({
  tenantId: v.string(),
  category: v.picklist(['public', 'log']),
  kind: v.picklist(['stream', 'bucket']),
  streamName: v.exactOptional(v.string()),
  bucket: v.exactOptional(v.string()),
});

const endpointsSchema = v.looseObject(v.entriesFromList(services, v.string()));

const stackFileSchema = v.looseObject({
  baseUrl: v.string(),
  siteUrl: v.string(),
  appUrl: v.string(),
  exportsUrl: v.string(),
  consoleUrl: v.string(),
  staff: v.looseObject({
    issuer: v.string(),
    clientId: v.string(),
    exportsClientId: v.exactOptional(v.string()),
    authorizationUrl: v.string(),
    tokenUrl: v.string(),
  }),
  docsUrl: v.string(),
  requestsUrl: v.string(),
  tokenUrl: v.string(),
  issuer: v.string(),
  tenants: v.tupleWithRest([tenantSchema, tenantSchema, tenantSchema], tenantSchema),
  exports: v.array(exportSchema),
  aws: v.looseObject({ region: v.string(), endpoints: endpointsSchema }),
  webPushUrl: v.string(),
  pushesUrl: v.string(),
  mailsUrl: v.string(),
  faultsUrl: v.string(),
  pid: v.number(),
});
export type StackFile = v.InferOutput<typeof stackFileSchema>;

const startIt = 'Start it with "npm start" first.';

/** @throws {ClientError} with advice if no stack is running */
export async function readStackFile(directory: string): Promise<StackFile> {
  const file = join(directory, 'stack.json');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ClientError(`No local stack is running: there is no ${file}. ${startIt}`, { cause: error });
  });
  const stack = parseStackFile(text, file);
  if (!isRunning(stack.pid))
    throw new ClientError(
      `${file} describes a stack that no longer runs (process ${stack.pid} does not exist). ${startIt}`,
    );
  return stack;
}

function parseStackFile(text: string, file: string): StackFile {
  try {
    return v.parse(stackFileSchema, JSON.parse(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ClientError(`${file} does not describe a local stack (${reason}).`, { cause: error });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process runs and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const arrivedPushSchema = v.looseObject({
  at: v.string(),
  platform: v.string(),
  token: v.string(),
  endpointArn: v.string(),
  payload: v.unknown(),
});
export type ArrivedPush = v.InferOutput<typeof arrivedPushSchema>;

const arrivedWebPushSchema = v.looseObject({
  at: v.string(),
  platform: v.literal('web'),
  /** The subscription's endpoint. */
  token: v.string(),
  headers: v.record(v.string(), v.string()),
  /** base64url. */
  body: v.string(),
});
export type ArrivedWebPush = v.InferOutput<typeof arrivedWebPushSchema>;

async function listAllPushes(
  { pushesUrl }: StackFile,
  token: string | undefined,
): Promise<(ArrivedPush | ArrivedWebPush)[]> {
  const schema = v.array(v.union([arrivedWebPushSchema, arrivedPushSchema]));
  const url = new URL(pushesUrl);
  if (token !== undefined) url.searchParams.set('token', token);
  return bodyOf(await exchange({ method: 'GET', url: url.href }, schema));
}

/** The notifications for FCM and APNs, newest last: all, or those to a push token. */
export const listPushes = async (stack: StackFile, token?: string): Promise<ArrivedPush[]> =>
  (await listAllPushes(stack, token)).filter((push): push is ArrivedPush => push.platform !== 'web');

/** The pushes to browsers, newest last: all, or those to a subscription's endpoint. */
export const listWebPushes = async (stack: StackFile, endpoint?: string): Promise<ArrivedWebPush[]> =>
  (await listAllPushes(stack, endpoint)).filter((push): push is ArrivedWebPush => push.platform === 'web');

export type Fault = {
  service: FaultyService;
  operation?: string;
  resource?: string;
  fault:
    | 'throttle'
    | 'partial'
    | 'access-denied'
    | 'not-found'
    | 'unavailable'
    | 'timeout-after'
    | 'slow'
    | 'disabled'
    | 'conflict'
    | 'gone';
  ratio?: number;
  delayMs?: number;
  times?: number;
};

/** Adds a fault for the duration of the work. */
export async function withFault<Result>(
  { faultsUrl }: StackFile,
  fault: Fault,
  work: () => Promise<Result>,
): Promise<Result> {
  const created = await exchange(
    {
      method: 'POST',
      url: faultsUrl,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    },
    v.looseObject({ id: v.string() }),
  );
  const { id } = bodyOf(created);
  try {
    return await work();
  } finally {
    await exchange({ method: 'DELETE', url: `${faultsUrl}/${id}` }, v.union([nothingSchema, v.unknown()]));
  }
}
