/** Runs a bundle as Lambda does: one event at a time, in a process of its own. */
import { pathToFileURL } from 'node:url';

const { handler } = await import(pathToFileURL(process.argv[2]).href);
process.on('message', ({ id, event }) => {
  handler(event).then(
    (result) => process.send({ id, result }),
    (error) => process.send({ id, error: String(error) }),
  );
});
process.send({ ready: true });
