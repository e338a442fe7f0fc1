import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { keptMs, type TaskRecord, taskRecord } from './task-record.ts';

const id = z.string().uuid();
const suffix = '.json';
const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Keeps each task in a file that only this user of the machine can read. */
export class TaskFolder {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async open(path: string): Promise<TaskFolder> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return new TaskFolder(path);
  }

  /** A crash leaves the file as it was before, or as it is after. */
  async write(record: TaskRecord): Promise<void> {
    const file = this.#file(record.taskId);
    const draft = `${file}.${randomUUID()}.draft`;
    await writeFile(draft, JSON.stringify(record), { mode: 0o600, flush: true });
    await rename(draft, file);
  }

  async read(taskId: string): Promise<TaskRecord | undefined> {
    // The id is the caller's text: anything else could name another file.
    if (!id.safeParse(taskId).success) return undefined;
    try {
      return taskRecord.parse(JSON.parse(await readFile(this.#file(taskId), 'utf8')));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw new Error(`The task ${taskId} in ${this.path} cannot be read.`, { cause: error });
    }
  }

  /** Oldest first. What was kept long enough is removed. */
  async list(now: number): Promise<TaskRecord[]> {
    const names = (await readdir(this.path)).filter((name) => name.endsWith(suffix));
    // A file that cannot be read must not hide the others.
    const found = await Promise.allSettled(
      names.map(async (name) => await this.read(name.slice(0, -suffix.length))),
    );
    const records = found.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []));
    const isOld = ({ createdAt }: TaskRecord): boolean => Date.parse(createdAt) + keptMs < now;
    await Promise.all(
      records.filter(isOld).map(async ({ taskId }) => await rm(this.#file(taskId), { force: true })),
    );
    return records
      .filter((record) => !isOld(record))
      .toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
  }

  #file(taskId: string): string {
    return join(this.path, `${taskId}${suffix}`);
  }
}
