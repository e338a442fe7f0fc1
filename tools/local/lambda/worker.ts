/** The entry of a Lambda's worker thread: loads the bundle, and calls its handler for each message. */
import { parentPort, workerData } from 'node:worker_threads';
import { InvokeStore, InvokeStoreBase } from '@aws/lambda-invoke-store';
import { contextOf, type LambdaContext } from './context.ts';
import { lambdaErrorOf, type Outcome, type Reply, type Request, type WorkerData } from './messages.ts';
import { traceSources } from './source-traces.ts';

type Handler = (event: unknown, context: LambdaContext) => unknown;

/**
 * Lambda with Node.js 24 rejects a handler with a callback before the first call:
 * https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html.
 */
const mostParameters = 2;

/** An error ends the thread, which reports it to the other side. */
async function load(bundle: string): Promise<Handler> {
  const { handler } = (await import(bundle)) as { handler?: unknown };
  if (typeof handler !== 'function') throw new Error(`${bundle} does not export a handler`);
  if (handler.length > mostParameters) throw new Error(`The handler of ${bundle} takes a callback`);
  return handler as Handler;
}

/**
 * The SDK reads the trace from this store first, then from `_X_AMZN_TRACE_ID`. Lambda's runtime uses it when calls share a
 * process, as they do here.
 */
const store = await InvokeStore.getInstanceAsync(true);
const { X_RAY_TRACE_ID, REQUEST_ID } = InvokeStoreBase.PROTECTED_KEYS;

async function call(handler: Handler, request: Request): Promise<Outcome> {
  const { requestId, trace } = request;
  const values = { [REQUEST_ID]: requestId, [X_RAY_TRACE_ID]: trace };
  return await store.run(values, async () => await invoke(handler, request));
}

async function invoke(handler: Handler, request: Request): Promise<Outcome> {
  try {
    const result = await handler(JSON.parse(request.event), contextOf(request, process.env));
    // A handler without a result returns null.
    return { payload: result === undefined ? 'null' : JSON.stringify(result) };
  } catch (thrown) {
    const error = lambdaErrorOf(thrown);
    console.error(
      JSON.stringify({ level: 'ERROR', message: 'Invoke Error', ...request, event: undefined, error }),
    );
    return { error };
  }
}

const send = (reply: Reply): void => parentPort?.postMessage(reply);

// It was for Node.js, and a Lambda on AWS does not have it.
delete process.env['NODE_COMPILE_CACHE'];
const { bundle } = workerData as WorkerData;
// The bundles are minified; people read stack traces.
traceSources(bundle);
const handler = await load(bundle);
parentPort?.on('message', (request: Request) => {
  void call(handler, request).then((outcome) =>
    send({ kind: 'done', requestId: request.requestId, ...outcome }),
  );
});
send({ kind: 'ready' });
