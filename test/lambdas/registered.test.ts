import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { bundledLambdas } from '../../bundling/bundle.ts';
import { environments } from '../../tools/bench/cold/environments.ts';
import { variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../../lambdas/lambda-definition.ts';
import { environmentOf, lambdaNames, type Values } from '../../lambdas/registered.ts';
import { deploymentLambdas } from '../support/deployment-lambdas.ts';

test('every Lambda is registered, except those that only a deployment calls', () => {
  const called = bundledLambdas().filter((name) => !deploymentLambdas.includes(name));
  expect(lambdaNames.toSorted()).toEqual(called.toSorted());
});

test('a Lambda gets exactly the variables in its schema, and each has a value', () => {
  const values = { DEVICES_TABLE: 'devices', EVENTS_TABLE: 'events', OIDC_AUDIENCE: undefined } as Values;
  expect(environmentOf('list-devices', values)).toEqual({ DEVICES_TABLE: 'devices' });
  const tokens = { ...values, TENANTS_TABLE: 'tenants', OIDC_ISSUER: 'https://issuer.omi.example' } as Values;
  expect(environmentOf('authorize', tokens)).toEqual({
    TENANTS_TABLE: 'tenants',
    OIDC_ISSUER: 'https://issuer.omi.example',
  });
  expect(environments.get('list-devices')).toMatchObject({ DEVICES_TABLE: expect.any(String) });
});

const devices = v.pick(variables, ['DEVICES_TABLE']);

test('a permission that is missing or names an unknown resource does not compile', () => {
  const queue = v.pick(variables, ['EXPIRY_QUEUE_URL']);
  const key = v.pick(variables, ['SIGNING_KEY_ID']);
  const secret = v.pick(variables, ['WEB_PUSH_SECRET_ARN']);
  const push = v.pick(variables, ['FCM_APPLICATION_ARN']);
  const right: LambdaDefinition<typeof devices> = { environment: devices, tables: { devices: ['Query'] } };
  expect(right.environment).toBe(devices);
  const wrong = [
    // @ts-expect-error: the table is missing
    { environment: devices } satisfies LambdaDefinition<typeof devices>,
    // @ts-expect-error: another table, too
    { ...right, tables: { devices: ['Query'], events: ['Query'] } } satisfies LambdaDefinition<
      typeof devices
    >,
    // @ts-expect-error: a queue that the environment does not name
    { ...right, queues: { expiry: ['SendMessage'] } } satisfies LambdaDefinition<typeof devices>,
    // @ts-expect-error: an action of another resource
    { ...right, tables: { devices: ['SendMessage'] } } satisfies LambdaDefinition<typeof devices>,
    // @ts-expect-error: a member that nobody reads
    { ...right, timeout: 5 } satisfies LambdaDefinition<typeof devices>,
    // @ts-expect-error: the queue is missing
    { environment: queue } satisfies LambdaDefinition<typeof queue>,
    // @ts-expect-error: the key is missing
    { environment: key } satisfies LambdaDefinition<typeof key>,
    // @ts-expect-error: the secret is missing
    { environment: secret } satisfies LambdaDefinition<typeof secret>,
    // @ts-expect-error: push is missing
    { environment: push } satisfies LambdaDefinition<typeof push>,
    // @ts-expect-error: applications that the environment does not name
    { ...right, push: ['CreatePlatformEndpoint'] } satisfies LambdaDefinition<typeof devices>,
  ];
  expect(wrong).toHaveLength(10);
});

/** Of each kind of issuer. */
type Without<Name extends string, All = Values> = All extends unknown ? Omit<All, Name> : never;

test('values without a variable that a Lambda requires do not compile', () => {
  const others = {} as Without<'LEDGER_TABLE'>;
  // @ts-expect-error: get-ledger requires the table
  const values: Values = others;
  // An optional one may be absent.
  const absent: Values = {} as Without<'WEB_PUSH_HOSTS'>;
  expect([values, absent]).toEqual([{}, {}]);
});
