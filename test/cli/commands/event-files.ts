import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { enrolDevice, newUser, pushAndConfirm } from '../../contract/scenario.ts';
import type { TestStack } from '../../support/stack.ts';
import { jsonOn, omiOn } from '../omi.ts';
import { eventsIn, type StoredEvent } from './tables.ts';

const day = (offset: number): string =>
  new Date(Date.now() + offset * 24 * 3_600_000).toISOString().slice(0, 10);

export function eventFiles(stack: TestStack): void {
  const tenantOf = (): string => stack.file.tenants[0].tenantId;
  const fileOf = (name: string): string => join(stack.directory, name);
  const exportDay = (date: string, name: string, ...more: string[]): string[] => [
    ...['export', tenantOf(), 'public', '--day', date, '--out', fileOf(name), ...more],
  ];
  const eventsOf = async (name: string): Promise<StoredEvent[]> => {
    const lines = (await readFile(fileOf(name), 'utf8')).split('\n').filter((line) => line !== '');
    return lines.flatMap((line) => (JSON.parse(line) as { events: StoredEvent[] }).events);
  };

  test('contains the events of a day and is readable only by its owner', async () => {
    const device = await enrolDevice(stack.website, newUser());
    const { challengeId } = await pushAndConfirm(stack.website, device);
    // The day in which this test began may be over.
    const names: string[] = [];
    for (const offset of [-1, 0]) {
      const name = `events${offset}.jsonl`;
      const done = await jsonOn(stack)(...exportDay(day(offset), name));
      expect(done).toMatchObject({
        tenantId: tenantOf(),
        category: 'public',
        day: day(offset),
        unreadable: 0,
      });
      expect(done).toMatchObject({ file: fileOf(name), bytes: (await stat(fileOf(name))).size });
      expect(done).toMatchObject({ events: (await eventsOf(name)).length, complete: offset < 0 });
      names.push(name);
    }
    const written = (await Promise.all(names.map(eventsOf))).flat();
    const own = written.filter(({ metadata }) => metadata['aggregateId'] === challengeId);
    expect(own).toHaveLength(2);
    expect(own).toEqual(await eventsIn(stack, `${tenantOf()}#${challengeId}`));
    expect((await stat(fileOf('events0.jsonl'))).mode & 0o777).toBe(0o600);
  });

  test('never overwrites an existing file', async () => {
    await writeFile(fileOf('kept.jsonl'), 'kept');
    const { code, err } = await omiOn(stack)(exportDay(day(0), 'kept.jsonl'));
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('exists already') as unknown });
    await expect(readFile(fileOf('kept.jsonl'), 'utf8')).resolves.toBe('kept');
  });
}
