import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Destination } from './destination.ts';

/** A stream's settings for a delivery. */
export type Source = { name: string; version: string; destination: Destination };

/** The records of one future object. */
export type Buffered = { source: Source; arrival: Date; records: Buffer[] };

/** The file of one buffer. It has the records until they are in S3. */
export type JournalFile = { add(record: Buffer): void; remove(): void };

/** Firehose confirms records before they are in S3, so a stack that keeps its data writes them down until then. */
export type Journal = {
  isDurable: boolean;
  begin(source: Source, arrival: Date): JournalFile;
  /** Buffers that an earlier stack did not write to S3. */
  unfinished(): { buffered: Buffered; file: JournalFile }[];
};

const noFile: JournalFile = { add: () => undefined, remove: () => undefined };
const noJournal: Journal = { isDurable: false, begin: () => noFile, unfinished: () => [] };

/** @param folder without it nothing is kept */
export function openJournal(folder: string | undefined): Journal {
  if (folder === undefined) return noJournal;
  mkdirSync(folder, { recursive: true });
  return {
    isDurable: true,
    begin: (source, arrival) => {
      const path = join(folder, randomUUID());
      writeFileSync(path, `${JSON.stringify({ source, arrival })}\n`);
      return fileAt(path);
    },
    unfinished: () =>
      readdirSync(folder).flatMap((name) => {
        const path = join(folder, name);
        const [buffered, file] = [read(path), fileAt(path)];
        if (buffered) return [{ buffered, file }];
        file.remove();
        return [];
      }),
  };
}

/** One line for each record, written before the record is confirmed. */
const fileAt = (path: string): JournalFile => ({
  add: (record) => appendFileSync(path, `${record.toString('base64')}\n`),
  remove: () => rmSync(path, { force: true }),
});

/** Undefined for a file without confirmed records. */
function read(path: string): Buffered | undefined {
  // A last line without a line end is incomplete.
  const [head, ...lines] = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  if (head === undefined || lines.length === 0) return undefined;
  const { source, arrival } = JSON.parse(head) as { source: Source; arrival: string };
  return {
    source,
    arrival: new Date(arrival),
    records: lines.map((line) => Buffer.from(line, 'base64')),
  };
}
