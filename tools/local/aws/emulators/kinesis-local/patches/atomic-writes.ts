/**
 * A data file replaces the previous one when it is complete. The emulator writes all its data over the previous file every
 * second, so a kill at that moment would leave half of it, or nothing.
 *
 * Remove when kinesis-local writes to a temporary file and renames it.
 */
import fs from 'node:fs';

/** @param begunAt when the writing began, by `performance.now()` */
type Listener = (begunAt: number) => void;
let listener: Listener | undefined;

/** Calls the listener whenever a data file is complete. */
export const onWritten = (added: Listener): void => void (listener = added);

const createWriteStream = fs.createWriteStream;

fs.createWriteStream = (path, options) => {
  const begunAt = performance.now();
  const unfinished = `${path.toString()}.unfinished`;
  const stream = createWriteStream(unfinished, options);
  const emit = stream.emit.bind(stream);
  // Not a listener, because the emulator removes all listeners.
  stream.emit = (name: string | symbol, ...args: unknown[]): boolean => {
    if (name === 'finish') {
      fs.renameSync(unfinished, path);
      listener?.(begunAt);
    }
    return emit(name, ...args);
  };
  return stream;
};
