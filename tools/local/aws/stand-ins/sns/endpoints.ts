import { randomUUID } from 'node:crypto';
import { type Form, formMap, type XmlElement, xmlMap } from '../../protocols/query.ts';
import { invalid } from './errors.ts';
import { page } from './page.ts';
import type { Endpoint, SnsState } from './state.ts';

const mostUserDataBytes = 2_048;
const settableAttributes = new Set(['CustomUserData', 'Enabled', 'Token']);

/**
 * A known token with the same attributes returns the same ARN. It does not enable a disabled endpoint: `Enabled` in the
 * call counts as a different attribute then.
 */
export function createEndpoint(state: SnsState, form: Form): XmlElement[] {
  const application = state.application(form['PlatformApplicationArn']);
  const attributes = settable(form);
  const token = form['Token'] ?? '';
  if (token === '') throw invalid('Token', 'cannot be empty');
  const userData = checkedUserData(form['CustomUserData'] ?? attributes.get('CustomUserData'));
  const enabled = attributes.get('Enabled');
  const known = state.endpointWith(application.arn, token);
  if (known) {
    const isSame =
      known.userData === userData && (enabled === undefined || known.enabled === (enabled === 'true'));
    if (!isSame) throw tokenTaken(known);
    return [['EndpointArn', known.arn]];
  }
  const arn = `${application.arn.replace(':app/', ':endpoint/')}/${randomUUID()}`;
  const endpoint = { arn, applicationArn: application.arn, token, enabled: enabled !== 'false' };
  state.putEndpoint(userData === undefined ? endpoint : { ...endpoint, userData });
  return [['EndpointArn', arn]];
}

export function getEndpointAttributes(state: SnsState, form: Form): XmlElement[] {
  return [attributesOf(state.endpoint(form['EndpointArn']))];
}

export function setEndpointAttributes(state: SnsState, form: Form): XmlElement[] {
  const endpoint = state.endpoint(form['EndpointArn']);
  const attributes = settable(form);
  const token = attributes.get('Token') ?? endpoint.token;
  const holder = state.endpointWith(endpoint.applicationArn, token);
  if (holder && holder.arn !== endpoint.arn) throw tokenTaken(holder);
  const enabled = attributes.get('Enabled') ?? String(endpoint.enabled);
  const userData = checkedUserData(attributes.get('CustomUserData') ?? endpoint.userData);
  const changed: Endpoint = { ...endpoint, token, enabled: enabled === 'true' };
  state.putEndpoint(userData === undefined ? changed : { ...changed, userData });
  return [];
}

/** Succeeds also for an endpoint that does not exist. */
export function deleteEndpoint(state: SnsState, form: Form): XmlElement[] {
  state.deleteEndpoint(form['EndpointArn'] ?? '');
  return [];
}

export function listEndpoints(state: SnsState, form: Form): XmlElement[] {
  const application = state.application(form['PlatformApplicationArn']);
  const members = [...state.endpoints.values()]
    .filter(({ applicationArn }) => applicationArn === application.arn)
    .map((endpoint): XmlElement => ['member', [['EndpointArn', endpoint.arn], attributesOf(endpoint)]]);
  return page('Endpoints', members, form);
}

function settable(form: Form): Map<string, string> {
  const attributes = formMap(form, 'Attributes');
  for (const [name, value] of attributes) {
    if (!settableAttributes.has(name)) throw invalid('Attributes', `Invalid attribute name: ${name}`);
    if (name === 'Enabled' && value !== 'true' && value !== 'false') {
      throw invalid('Attributes', `Invalid value for attribute: Enabled: ${value}`);
    }
    if (name === 'Token' && value === '') throw invalid('Token', 'cannot be empty');
  }
  return attributes;
}

function checkedUserData(userData: string | undefined): string | undefined {
  if (userData !== undefined && Buffer.byteLength(userData) > mostUserDataBytes) {
    throw invalid('CustomUserData', `must be at most ${mostUserDataBytes} bytes long in UTF-8 encoding`);
  }
  return userData;
}

/** Callers parse the ARN from this text: SNS has no other way to find the endpoint of a token. */
function tokenTaken({ arn }: Endpoint): Error {
  return invalid('Token', `Endpoint ${arn} already exists with the same Token, but different attributes.`);
}

function attributesOf({ token, enabled, userData }: Endpoint): XmlElement {
  const attributes: [string, string][] = [
    ['Enabled', String(enabled)],
    ['Token', token],
  ];
  if (userData !== undefined) attributes.push(['CustomUserData', userData]);
  return xmlMap('Attributes', attributes);
}
