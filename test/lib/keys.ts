import { describe, expect, test } from '@jest/globals';
import { configOf, environmentsOf, type Resource, resourcesOf, synthesize } from './synthesize.ts';
import { bothKeys } from './configuration-changes.ts';
import { listed, type Statement } from './policies.ts';

type KeyStatement = Statement & { Condition?: object };

const keysOf = (settings: object = {}, stage = 'production'): [id: string, key: Resource][] =>
  resourcesOf(synthesize(stage, settings), 'AWS::KMS::Key').filter(([id]) => id.startsWith('Keys'));

const keyNamed = (name: string, settings: object = {}): Resource => {
  const key = keysOf(settings).find(([id]) => id.startsWith(`Keys${name}`))?.[1];
  if (!key) throw new Error(`There is no key ${name}.`);
  return key;
};

const statementsOf = ({ Properties }: Resource): KeyStatement[] =>
  (Properties['KeyPolicy'] as { Statement: KeyStatement[] }).Statement;

/** Actions that the key's policy leaves to the policies of roles and users. */
const leftToIam = (key: Resource): string[] =>
  statementsOf(key)
    .filter(({ Condition }) => Condition === undefined)
    .flatMap(({ Action }) => listed(Action));

describe('the KMS keys', () => {
  test('rotate automatically for secrets, and are on P-256 for signatures', () => {
    expect(keyNamed('Secrets').Properties).toMatchObject({ EnableKeyRotation: true });
    expect(keyNamed('Secrets').Properties).not.toHaveProperty('KeySpec');
    for (const name of ['Signing', 'Receipts', 'Log'])
      expect(keyNamed(name).Properties).toMatchObject({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' });
  });

  test('are RSA keys of 2,048 bits for signals, as the CAEP Interoperability Profile asks', () => {
    expect(keyNamed('Signals').Properties).toMatchObject({ KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' });
  });

  test('can have replicas in other regions, which no key gets later', () => {
    expect(keysOf()).toHaveLength(5);
    for (const [id, { Properties }] of keysOf()) expect([id, Properties['MultiRegion']]).toEqual([id, true]);
  });

  test('stay if their stack is deleted, unless the stage keeps nothing', () => {
    for (const [, key] of keysOf())
      expect(key).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    for (const [, key] of keysOf({}, 'dev'))
      expect(key).toMatchObject({ DeletionPolicy: 'Delete', Properties: { PendingWindowInDays: 7 } });
  });

  test('can be administered but not used through IAM, and a secret can be stored but not read', () => {
    const used = /^kms:(\*|Sign|Decrypt|ReEncrypt\w*|GenerateDataKey\w*|Create(\*|Grant))$/;
    for (const [, key] of keysOf()) {
      expect(leftToIam(key)).toContain('kms:Put*');
      expect(leftToIam(key).filter((action) => used.test(action))).toEqual([]);
    }
    expect(leftToIam(keyNamed('Secrets'))).toContain('kms:Encrypt');
    expect(leftToIam(keyNamed('Signing'))).not.toContain('kms:Encrypt');
  });
});

test('a signing key is recorded before use: Lambdas get its name from the record of all keys', () => {
  const template = synthesize('production', bothKeys);
  const [[record, { Properties, DependsOn }] = ['', { Properties: {}, DependsOn: [] }]] = resourcesOf(
    template,
    'Custom::PublishedKeys',
  );
  const ids = (prefix: string) => [1, 2].map((n) => ({ Ref: expect.stringMatching(`^${prefix}${n}`) }));
  expect(Properties).toMatchObject({
    token: ids('KeysSigning'),
    receipt: ids('KeysReceipts'),
    log: ids('KeysLog'),
  });
  expect(DependsOn).toContainEqual(expect.stringMatching(/^Keyspublishkeys\w*Policy/));
  const environments = environmentsOf(template);
  expect(environments.get('oauth-token')).toMatchObject({
    SIGNING_KEY_ID: ids('KeysSigning')[0],
    SIGNING_KID: { 'Fn::GetAtt': [record, 'tokenKid'] },
  });
  expect(environments.get('enrol-device')).toMatchObject({
    RECEIPT_KEY_ID: ids('KeysReceipts')[0],
    RECEIPT_KID: { 'Fn::GetAtt': [record, 'receiptKid'] },
  });
  expect(environments.get('get-checkpoint')).toMatchObject({
    LOG_KEY_ID: ids('KeysLog')[0],
    LOG_KID: { 'Fn::GetAtt': [record, 'logKid'] },
  });
});

test('the first key for signals signs, and the Lambda of the key set knows all of them', () => {
  const environments = environmentsOf(synthesize('production', bothKeys));
  for (const lambda of ['ssf-jwks', 'export-events', 'redeliver-events'])
    expect(JSON.stringify(environments.get(lambda)?.['SIGNAL_KEY_IDS'])).toMatch(
      /KeysSignals1.*,.*KeysSignals2/,
    );
});

test('each name of a key makes one, and leaves existing ones unchanged', () => {
  const [before, after] = [{}, bothKeys].map((settings) => new Map(keysOf(settings)));
  const added = [...(after ?? [])].filter(([id]) => before?.has(id) !== true).map(([id]) => id);
  const kinds = ['Log', 'Receipts', 'Signals', 'Signing'];
  expect(added.toSorted()).toEqual(kinds.map((kind) => expect.stringMatching(`^Keys${kind}2`)));
  for (const id of before?.keys() ?? []) expect([id, after?.has(id)]).toEqual([id, true]);
});

describe.each(['signingKeys', 'receiptKeys', 'signalKeys', 'logKeys'])('the names in %s', (setting) => {
  test.each([
    ['empty', [], 'at least 1'],
    ['five names', ['1', '2', '3', '4', '5'], 'at most 4'],
    ['duplicate', ['1', '1'], 'different'],
    ['other characters', ['a-b'], 'letters and digits'],
  ])('cannot be %s', (_, names, fault) => {
    expect(() => configOf('dev', { [setting]: names })).toThrow(setting);
    expect(() => configOf('dev', { [setting]: names })).toThrow(fault);
  });
});
