import { behindCloudFront, everyPlatform } from './settings.ts';

const domain = behindCloudFront.api.domain;
const executeApi = 'https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com';

/** What an operator changes in a stage's settings, with the settings before and after it. */
export const configurationChanges: readonly [change: string, before: object, after: object][] = [
  ['another key for tokens is added', {}, { signingKeys: ['1', '2'] }],
  ['the added key for tokens signs', { signingKeys: ['1', '2'] }, { signingKeys: ['2', '1'] }],
  ['the key for tokens that signed before is removed', { signingKeys: ['2', '1'] }, { signingKeys: ['2'] }],
  ['another key for logs is added', {}, { logKeys: ['1', '2'] }],
  ['another key for receipts is added', {}, { receiptKeys: ['1', '2'] }],
  ['the added key for receipts signs', { receiptKeys: ['1', '2'] }, { receiptKeys: ['2', '1'] }],
  ['the key for receipts that signed before is removed', { receiptKeys: ['2', '1'] }, { receiptKeys: ['2'] }],
  ['another key for signals is added', {}, { signalKeys: ['1', '2'] }],
  ['the added key for signals signs', { signalKeys: ['1', '2'] }, { signalKeys: ['2', '1'] }],
  ['a domain is set', {}, { api: { domain, formerBaseUrls: [executeApi] } }],
  ['CloudFront comes in front of the API', { api: { domain } }, behindCloudFront],
  ['CloudFront goes', behindCloudFront, { api: { domain } }],
  ["the tables get the stage's own key", {}, { data: { customerManagedKey: true } }],
  ["the tables lose the stage's own key", { data: { customerManagedKey: true } }, {}],
  ['the web app is turned off', {}, { webApp: false }],
  ['the web app is turned on, and a Lambda with it', { webApp: false }, {}],
  ['the page for tenants is turned off', {}, { exportsPage: false }],
  ['the help desk is turned off', {}, { console: false }],
  ['all pages are turned off', {}, { webApp: false, exportsPage: false, console: false }],
  ['platforms are added', {}, everyPlatform],
  ['a canary is used', {}, { rollout: 'canary' }],
];
