/** What the local stack tells about itself, and its two tools for demos and tests: pushes and faults. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { bodyOf, ClientError, exchange } from '../../client/http.ts';
import { nothingSchema } from '../../client/contract.ts';

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

const endpointsSchema = v.looseObject({
  dynamodb: v.string(),
  kinesis: v.string(),
  firehose: v.string(),
  s3: v.string(),
  sns: v.string(),
  sqs: v.string(),
  sts: v.string(),
});

const stackFileSchema = v.looseObject({
  baseUrl: v.string(),
  tokenUrl: v.string(),
  issuer: v.string(),
  tenants: v.tupleWithRest([tenantSchema, tenantSchema], tenantSchema),
  exports: v.array(exportSchema),
  aws: v.looseObject({ region: v.string(), endpoints: endpointsSchema }),
  pushesUrl: v.string(),
  faultsUrl: v.string(),
  pid: v.number(),
});
export type StackFile = v.InferOutput<typeof stackFileSchema>;

const START_IT = 'Start it with "npm start" first.';

/** Reads where the running stack is; says what to do when there is none. */
export async function readStackFile(directory: string): Promise<StackFile> {
  const file = join(directory, 'stack.json');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ClientError(`No local stack is running: there is no ${file}. ${START_IT}`, { cause: error });
  });
  const stack = parseStackFile(text, file);
  if (!isRunning(stack.pid))
    throw new ClientError(
      `${file} is left from a stack that is gone (process ${stack.pid} does not exist). ${START_IT}`,
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
    // Somebody else's process is a running one, too.
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

/** What the push providers would have got, newest last. */
export async function listPushes({ pushesUrl }: StackFile): Promise<ArrivedPush[]> {
  return bodyOf(await exchange({ method: 'GET', url: pushesUrl }, v.array(arrivedPushSchema)));
}

export type Fault = {
  service: 'dynamodb' | 'kinesis' | 'firehose' | 's3' | 'sns' | 'sqs' | 'sts';
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
    | 'conflict';
  ratio?: number;
  delayMs?: number;
  times?: number;
};

/** Makes one of the stack's AWS services fail for as long as the work runs. */
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
