/** What the demo bank may do with its own table. Beside it, it reads its own secret. */
export const demoAccess = ['GetItem', 'PutItem', 'DeleteItem', 'Query'] as const;
