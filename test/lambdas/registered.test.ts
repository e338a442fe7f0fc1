import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { bundledLambdas } from '../../tools/bundling/bundle.ts';
import { environments } from '../../tools/bench/cold/environments.ts';
import { variables } from '../../core/lambda/environment.ts';
import { defineLambda } from '../../lambdas/define-lambda.ts';
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

test('a permission that is missing or names an unknown resource does not compile', () => {
  const devices = v.pick(variables, ['DEVICES_TABLE']);
  expect(defineLambda(devices, { tables: { devices: ['Query'] } }).environment).toBe(devices);
  const more = { devices: ['Query'], events: ['Query'] } as const;
  const wrong = [
    // @ts-expect-error: the table is missing
    defineLambda(devices, {}),
    // @ts-expect-error: another table, too
    defineLambda(devices, { tables: { devices: ['Query'], events: ['Query'] } }),
    // @ts-expect-error: another table, too, in an object of its own
    defineLambda(devices, { tables: more }),
    // @ts-expect-error: a queue that the environment does not name
    defineLambda(devices, { tables: { devices: ['Query'] }, queues: { expiry: ['SendMessage'] } }),
    // @ts-expect-error: an action of another resource
    defineLambda(devices, { tables: { devices: ['SendMessage'] } }),
    // @ts-expect-error: the queue is missing
    defineLambda(v.pick(variables, ['EXPIRY_QUEUE_URL']), {}),
    // @ts-expect-error: the key is missing
    defineLambda(v.pick(variables, ['SIGNING_KEY_ID']), {}),
    // @ts-expect-error: the secret is missing
    defineLambda(v.pick(variables, ['WEB_PUSH_SECRET_ARN']), {}),
    // @ts-expect-error: push is missing
    defineLambda(v.pick(variables, ['FCM_APPLICATION_ARN']), {}),
    // @ts-expect-error: applications that the environment does not name
    defineLambda(devices, { tables: { devices: ['Query'] }, push: ['CreatePlatformEndpoint'] }),
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
