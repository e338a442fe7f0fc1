import { expect } from '@jest/globals';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Step } from '../../tools/models/traces.ts';
import { type Call, ConfirmationCalls, readCall } from './confirmation-calls.ts';
import { Gate, type Stop } from './gate.ts';
import { type Commit, gatedClient, type Place } from './gated-client.ts';

type UnderWay = { call: Call; gate: Gate<Place>; stop: Stop<Place>; lastCommit: () => Commit | undefined };

/**
 * Plays a run of the model on the code: makes its calls, interrupts them where the model does, and expects of each step what the
 * model says of it.
 */
export async function playConfirmation(
  client: DynamoDBDocumentClient,
  steps: readonly Step[],
  isGroup: boolean,
): Promise<void> {
  const calls = new ConfirmationCalls(client, isGroup);
  await calls.enrol();
  const underWay = new Map<string, UnderWay>();
  for (const { word, rest } of steps)
    if (word === 'STEP') await takeStep(calls, client, underWay, rest);
    else await compare(calls, client, word, rest);
}

async function takeStep(
  calls: ConfirmationCalls,
  client: DynamoDBDocumentClient,
  underWay: Map<string, UnderWay>,
  [caller = '', step, ...rest]: string[],
): Promise<void> {
  if (step === 'call') {
    underWay.set(caller, await begin(calls, client, readCall(rest)));
    return;
  }
  const its = underWay.get(caller);
  if (!its) throw new Error(`Caller ${caller} of the model has no call under way`);
  if (step === 'end') {
    expect([its.call, await outcomeOf(its)]).toEqual([its.call, { outcome: rest[0] }]);
    underWay.delete(caller);
    return;
  }
  expect([its.call, its.stop]).toEqual([its.call, { at: step }]);
  its.stop = await its.gate.go();
  if (step === 'commit') expect([its.call, its.lastCommit()]).toEqual([its.call, rest[0]]);
}

async function begin(
  calls: ConfirmationCalls,
  client: DynamoDBDocumentClient,
  call: Call,
): Promise<UnderWay> {
  const gate = new Gate<Place>();
  const readsGroup = call.kind === 'answer' || call.kind === 'remove';
  const { client: gated, lastCommit } = gatedClient(client, gate, readsGroup ? calls.groupId : undefined);
  const stop = await gate.start(async () => await calls.make(call, gated));
  return { call, gate, stop, lastCommit };
}

/** Whether a repeated request tries to write, or finds the first one before, depends on what the model leaves out. */
async function outcomeOf({ call, gate, stop }: UnderWay): Promise<Stop<Place>> {
  let last = stop;
  while (call.kind === 'ask' && 'at' in last) last = await gate.go();
  return last;
}

/** The tables after the run, and again after everything that was open has expired. */
async function compare(
  calls: ConfirmationCalls,
  client: DynamoDBDocumentClient,
  word: string,
  [whose = '', ...expected]: string[],
): Promise<void> {
  const isGroup = whose === 'group';
  if (word === 'AFTER') {
    const kind = isGroup ? 'look_at_group' : 'look';
    await calls.make({ kind, member: Number(whose) || 0, device: 0, choice: 'none', isLate: true }, client);
  }
  const found = isGroup ? await calls.ofGroup() : await calls.ofMember(Number(whose));
  expect([word, whose, ...found]).toEqual([word, whose, ...expected]);
}
