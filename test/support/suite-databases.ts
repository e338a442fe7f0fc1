import { freshDatabase } from '../../tools/local/aws/emulators/dynamodb-local/database.ts';
import { forwardTo } from '../../tools/local/aws/emulators/forward.ts';

type TestDatabase = { endpoint: string; name: string };

/** The suite notes them, and its environment, which has modules of its own, ends them. */
const NOTES = 'OMI_TEST_DATABASES';

const noted = (): TestDatabase[] => JSON.parse(process.env[NOTES] ?? '[]') as TestDatabase[];

export function noteDatabase(database: TestDatabase): void {
  process.env[NOTES] = JSON.stringify([...noted(), database]);
}

/** Ends the databases of the suite: each costs the processor time until the end of the run. */
export async function endDatabases(): Promise<void> {
  for (const { endpoint, name } of noted()) {
    const { changed, end } = freshDatabase(name);
    const { backend, close } = forwardTo({ endpoint }, changed);
    await end(backend);
    close();
  }
}
