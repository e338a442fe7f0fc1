/** How tasks are kept, and which of several processes waits for an answer. */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Claims } from '../../../packages/mcp/src/tasks/claims.ts';
import { TaskFolder } from '../../../packages/mcp/src/tasks/task-folder.ts';
import { keptMs, type TaskRecord } from '../../../packages/mcp/src/tasks/task-record.ts';
import { newState } from './support/phones.ts';

const now = Date.parse('2026-03-01T00:00:00Z');

const record = (ageMs: number, taskId = randomUUID()): TaskRecord => ({
  ...{ taskId, userId: 'anna', tool: 'pay', args: {}, kind: 'task' },
  question: { message: 'Pay?', details: [{ type: 'payment', to: 'Café Zoë' }] },
  createdAt: new Date(now - ageMs).toISOString(),
  lastUpdatedAt: new Date(now).toISOString(),
  state: { phase: 'asked', authReqId: 'request-1', intervalSeconds: 2 },
});

describe('the folder', () => {
  let path: string;
  let folder: TaskFolder;
  beforeEach(async () => {
    path = await newState();
    folder = await TaskFolder.open(path);
  });

  test('keeps a task as it was written', async () => {
    const written = record(0);
    await folder.write(written);
    expect(await folder.read(written.taskId)).toEqual(written);
    expect(await folder.read(randomUUID())).toBeUndefined();
  });

  test('survives parallel writes of one task, and leaves no drafts', async () => {
    const written = record(0);
    await Promise.all(Array.from({ length: 20 }, async () => await folder.write(written)));
    expect(await folder.read(written.taskId)).toEqual(written);
    expect(await readdir(path)).toEqual([`${written.taskId}.json`]);
  });

  test('lists tasks, oldest first, and removes those that were kept long enough', async () => {
    const [old, first, second] = [record(keptMs + 1), record(2), record(1)];
    for (const one of [second, old, first]) await folder.write(one);
    expect(await folder.list(now)).toEqual([first, second]);
    expect(await readdir(path)).toHaveLength(2);
  });

  test('reports a damaged file to whoever asks for it, and lists the others', async () => {
    const [good, damaged] = [record(1), record(0)];
    await folder.write(good);
    await writeFile(join(path, `${damaged.taskId}.json`), '{"taskId":');
    await expect(folder.read(damaged.taskId)).rejects.toThrow('cannot be read');
    expect(await folder.list(now)).toEqual([good]);
  });
});

describe('a claim', () => {
  /** No process has such an id. */
  const dead = 2 ** 30;
  const taskId = randomUUID();
  let path: string;
  let claims: Claims;
  const ownedBy = async (owner: string): Promise<void> =>
    await writeFile(join(path, `${taskId}.owner`), owner);
  beforeEach(async () => {
    path = await newState();
    claims = new Claims(path);
  });

  test('is refused while another process lives', async () => {
    await ownedBy(String(process.ppid));
    expect(await claims.take(taskId)).toBe(false);
  });

  test.each([
    ['of a process that has ended', String(dead)],
    ['of an earlier process with the same id', String(process.pid)],
    ['that names nobody', ''],
  ])('is taken over: one %s', async (_, owner) => {
    await ownedBy(owner);
    expect(await claims.take(taskId)).toBe(true);
    expect(await readFile(join(path, `${taskId}.owner`), 'utf8')).toBe(String(process.pid));
  });

  test('can be released', async () => {
    expect(await claims.take(taskId)).toBe(true);
    await claims.release(taskId);
    expect(await readdir(path)).toEqual([]);
  });
});
