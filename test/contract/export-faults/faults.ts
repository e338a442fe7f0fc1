import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { nothingSchema } from '../../../client/contract.ts';
import { bodyOf, exchange } from '../../../client/http.ts';
import { type Fault, type StackFile, withFault } from '../../../tools/local/client/local-stack.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';

const activeSchema = v.array(v.looseObject({ operation: v.optional(v.string()), hits: v.number() }));
const createdSchema = v.looseObject({ id: v.string() });

/** The faults that are switched on. */
async function activeFaults({ faultsUrl }: StackFile, operation?: string) {
  const active = bodyOf(await exchange({ method: 'GET', url: faultsUrl }, activeSchema));
  return active.filter((fault) => operation === undefined || fault.operation === operation);
}

/** How often the faults that are switched on have struck: a test without a strike proves nothing. */
export async function strikes(stack: StackFile, operation?: string): Promise<number> {
  return (await activeFaults(stack, operation)).reduce((total, { hits }) => total + hits, 0);
}

/** Makes one of the stack's AWS services fail until it is told to end. */
export async function beginFault({ faultsUrl }: StackFile, fault: Fault): Promise<() => Promise<void>> {
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', url: faultsUrl, headers, body: JSON.stringify(fault) };
  const { id } = bodyOf(await exchange(request, createdSchema));
  return async () => {
    await exchange({ method: 'DELETE', url: `${faultsUrl}/${id}` }, nothingSchema);
  };
}

/** The stream has two readers, each of which waits longer from strike to strike: so many are not one's alone. */
const strikesOfBoth = 5;

/** What is recorded meanwhile stays in the events table's stream, and comes as one batch. */
export async function holdingStream<Result>(stack: StackFile, work: () => Promise<Result>): Promise<Result> {
  const reading = { service: 'dynamodb', operation: 'GetRecords', resource: localTables.events } as const;
  return await withFault(stack, { ...reading, fault: 'unavailable' }, async () => {
    while ((await strikes(stack, reading.operation)) < strikesOfBoth) await wait(20);
    return await work();
  });
}

/** Ends what STS has handed out so far, as an hour would. */
export async function endSessions({ faultsUrl }: StackFile): Promise<void> {
  bodyOf(await exchange({ method: 'DELETE', url: String(new URL('/sessions', faultsUrl)) }, nothingSchema));
}
