import { behindCloudFront, everyPlatform, moved } from './settings.ts';

export const noPages = { webApp: false, exportsPage: false, console: false };

/** Two keys of each kind. */
export const bothKeys = {
  signingKeys: ['1', '2'],
  receiptKeys: ['1', '2'],
  signalKeys: ['1', '2'],
  logKeys: ['1', '2'],
};
/** The key for logs that signed before stays, because nobody removes it while its signatures are compared. */
const addedKeysSign = {
  ...bothKeys,
  signingKeys: ['2', '1'],
  receiptKeys: ['2', '1'],
  signalKeys: ['2', '1'],
};
const formerKeysGone = { ...addedKeysSign, signingKeys: ['2'], receiptKeys: ['2'] };

/** What an operator changes in a stage's settings, with the settings before and after it. */
export const configurationChanges: readonly [change: string, before: object, after: object][] = [
  ['another key of each kind is added', {}, bothKeys],
  ['the added keys sign', bothKeys, addedKeysSign],
  ['the keys that signed before are removed', addedKeysSign, formerKeysGone],
  ['a domain is set', {}, moved],
  ['CloudFront comes in front of the API', moved, behindCloudFront],
  ['CloudFront goes', behindCloudFront, moved],
  ["the tables get the stage's own key", {}, { data: { customerManagedKey: true } }],
  ["the tables lose the stage's own key", { data: { customerManagedKey: true } }, {}],
  ['all pages are turned off', {}, noPages],
  ['all pages are turned on, and Lambdas with them', noPages, {}],
  ['platforms are added', {}, everyPlatform],
  ['a canary is used', {}, { rollout: 'canary' }],
];
