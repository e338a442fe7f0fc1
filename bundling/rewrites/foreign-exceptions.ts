/**
 * Errors of operations that no Lambda calls: the management of tables, backups and topics, SMS, batches of messages. Should one come
 * all the same, the client throws its service's general exception with the same name and message.
 * No source can import these: the build would not find them.
 */
const foreign: { client: string; names: string[] }[] = [
  {
    client: 'dynamodb',
    names: [
      'BackupInUseException',
      'BackupNotFoundException',
      'ContinuousBackupsUnavailableException',
      'DuplicateItemException',
      'ExportConflictException',
      'ExportNotFoundException',
      'GlobalTableAlreadyExistsException',
      'GlobalTableNotFoundException',
      'ImportConflictException',
      'ImportNotFoundException',
      'IndexNotFoundException',
      'InvalidExportTimeException',
      'InvalidRestoreTimeException',
      'LimitExceededException',
      'PointInTimeRecoveryUnavailableException',
      'PolicyNotFoundException',
      'ReplicaAlreadyExistsException',
      'ReplicaNotFoundException',
      'ResourceInUseException',
      'TableAlreadyExistsException',
      'TableInUseException',
      'TableNotFoundException',
    ],
  },
  {
    client: 'sns',
    names: [
      'BatchEntryIdsNotDistinctException',
      'BatchRequestTooLongException',
      'ConcurrentAccessException',
      'EmptyBatchRequestException',
      'FilterPolicyLimitExceededException',
      'InvalidBatchEntryIdException',
      'InvalidStateException',
      'OptedOutException',
      'ReplayLimitExceededException',
      'ResourceNotFoundException',
      'StaleTagException',
      'SubscriptionLimitExceededException',
      'TagLimitExceededException',
      'TagPolicyException',
      'TooManyEntriesInBatchRequestException',
      'TopicLimitExceededException',
      'UserErrorException',
      'VerificationException',
    ],
  },
];

/** @param path of a file of a client */
export const foreignExceptions = (path: string): ReadonlySet<string> =>
  new Set(foreign.find(({ client }) => path.includes(`/client-${client}/`))?.names);

/** Takes them out of a client's `schemas_0.js`, where each has a schema and is registered. */
export function withoutForeignExceptions(text: string, path: string): string {
  let rest = text;
  for (const name of foreignExceptions(path)) {
    rest = without(rest, new RegExp(String.raw`(?<=import \{[^}]*) ${name},`));
    rest = without(
      rest,
      new RegExp(
        String.raw`export var ${name}\$ = \[-3, n0, (?:(?!\];)[^])*\];\nn0_registry\.registerError\(${name}\$, ${name}\);\n`,
      ),
    );
  }
  return rest;
}

function without(text: string, part: RegExp): string {
  const rest = text.replace(part, '');
  if (rest === text) throw new Error(`${String(part)} is not in it`);
  return rest;
}
