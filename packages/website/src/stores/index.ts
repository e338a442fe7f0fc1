/** Stores for `createRoutes` on servers that several processes share. */
export { dynamoStore, type DynamoClient } from './dynamo-store.ts';
export { postgresStore, type PostgresPool } from './postgres-store.ts';
export { redisStore, type RedisClient } from './redis-store.ts';
