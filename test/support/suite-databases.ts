import { afterAll } from '@jest/globals';
import { freshDatabase } from '../../tools/local/aws/emulators/dynamodb-local/database.ts';
import { forwardTo } from '../../tools/local/aws/emulators/forward.ts';

type TestDatabase = { endpoint: string; name: string };

const databases: TestDatabase[] = [];

export function noteDatabase(database: TestDatabase): void {
  databases.push(database);
}

/** Each costs the processor time until the end of the run. */
afterAll(async () => {
  for (const { endpoint, name } of databases) {
    const { changed, end } = freshDatabase(name);
    const { backend, close } = forwardTo({ endpoint }, changed);
    await end(backend);
    close();
  }
});
