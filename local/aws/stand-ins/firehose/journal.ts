import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Destination } from './destination.ts';

/** The state of a stream that deliveries depend on. */
export type Source = { name: string; version: string; destination: Destination };

/** What is to become an object. */
export type Buffered = { source: Source; arrival: Date; records: Buffer[] };

/** Where the records of one buffer are written down until they are in S3. */
export type Page = { add(record: Buffer): void; remove(): void };

/** Firehose answers for records before it has written them: a stack whose data outlive it keeps them until then. */
export type Journal = {
  keeps: boolean;
  begin(source: Source, arrival: Date): Page;
  /** What an earlier stack did not get to write. */
  left(): { buffered: Buffered; page: Page }[];
};

const nowhere: Page = { add: () => undefined, remove: () => undefined };
const forgetful: Journal = { keeps: false, begin: () => nowhere, left: () => [] };

/** @param folder without one nothing is kept */
export function openJournal(folder: string | undefined): Journal {
  if (folder === undefined) return forgetful;
  mkdirSync(folder, { recursive: true });
  return {
    keeps: true,
    begin: (source, arrival) => {
      const file = join(folder, randomUUID());
      writeFileSync(file, `${JSON.stringify({ source, arrival })}\n`);
      return pageOf(file);
    },
    left: () =>
      readdirSync(folder).flatMap((name) => {
        const file = join(folder, name);
        const [buffered, page] = [read(file), pageOf(file)];
        if (buffered) return [{ buffered, page }];
        page.remove();
        return [];
      }),
  };
}

/** A line a record, each written at once: whoever is killed has answered for no other. */
const pageOf = (file: string): Page => ({
  add: (record) => appendFileSync(file, `${record.toString('base64')}\n`),
  remove: () => rmSync(file, { force: true }),
});

/** Nothing for one whose records nobody was answered for. */
function read(file: string): Buffered | undefined {
  // What is behind the last line end was torn.
  const [head, ...lines] = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  if (head === undefined || lines.length === 0) return undefined;
  const { source, arrival } = JSON.parse(head) as { source: Source; arrival: string };
  return {
    source,
    arrival: new Date(arrival),
    records: lines.map((line) => Buffer.from(line, 'base64')),
  };
}
