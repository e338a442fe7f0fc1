/**
 * kinesis-local writes all its data anew every second, over what was there: a kill at that moment leaves half of it, or
 * nothing. Here a file takes the place of the one before when it is whole.
 */
import fs from 'node:fs';

type Tell = (begun: number) => void;
let told: Tell | undefined;

/** @param tell when a file is whole; its argument, by `performance.now()`, is when its writing began */
export const onWhole = (tell: Tell): void => void (told = tell);

const create = fs.createWriteStream;

fs.createWriteStream = (path, options) => {
  const begun = performance.now();
  const unfinished = `${path.toString()}.unfinished`;
  const stream = create(unfinished, options);
  const emit = stream.emit.bind(stream);
  // Not a listener: kinesis-local removes all of them.
  stream.emit = (name: string | symbol, ...args: unknown[]): boolean => {
    if (name === 'finish') {
      fs.renameSync(unfinished, path);
      told?.(begun);
    }
    return emit(name, ...args);
  };
  return stream;
};
