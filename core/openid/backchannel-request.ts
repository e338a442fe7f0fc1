import * as v from 'valibot';
import {
  type AuthorizationDetails,
  parseAuthorizationDetails,
} from '../confirmations/authorization-details.ts';
import type { RequestOrigin } from '../confirmations/context.ts';
import { originMembers } from '../confirmations/request-origin.ts';
import type { BaseUrls } from '../kernel/base-urls.ts';
import { isObject } from '../kernel/json.ts';
import { parseUnambiguous } from '../kernel/strict-json.ts';
import { messageText } from '../kernel/text.ts';
import type { Form } from './form.ts';
import { type LoginHint, readLoginHint } from './login-hint.ts';
import { invalidRequest, OAuthError } from './oauth-error.ts';

/** An authentication request (OpenID Connect CIBA Core 1.0, section 7.1). */
export type BackchannelRequest = {
  scope: string;
  /** Undefined if the hint cannot mean a user of this issuer. */
  login: LoginHint | undefined;
  bindingMessage: string | undefined;
  details: AuthorizationDetails | undefined;
  requestedFrom: RequestOrigin | undefined;
  /** Seconds. */
  requestedExpiry: number | undefined;
  /** With it, the client is pinged. */
  notificationToken: string | undefined;
};

/** @throws {OAuthError} for the first fault */
export function readBackchannelRequest(form: Form, issuers: BaseUrls): BackchannelRequest {
  form.checkUnrepeated();
  if (form.get('request') !== undefined)
    throw invalidRequest('Signed requests are for clients with the profile fapi.');
  return {
    scope: readScope(form),
    login: readHint(form, issuers),
    requestedExpiry: readExpiry(form),
    notificationToken: readToken(form),
    bindingMessage: readMessage(form),
    details: readDetails(form),
    requestedFrom: readRequestContext(form),
  };
}

/** RFC 6749, section 3.3. */
const scopeTokens = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;
const longestScope = 1024;

function readScope(form: Form): string {
  const scope = form.get('scope');
  if (scope === undefined) throw invalidRequest('Expected the parameter scope.');
  const isScope = scope.length <= longestScope && scopeTokens.test(scope);
  if (isScope && scope.split(' ').includes('openid')) return scope;
  throw new OAuthError(
    'invalid_scope',
    `Expected a scope with openid, of at most ${longestScope} characters.`,
  );
}

const hints = ['login_hint', 'login_hint_token', 'id_token_hint'];

function readHint(form: Form, issuers: BaseUrls): LoginHint | undefined {
  const given = hints.filter((name) => form.get(name) !== undefined);
  if (given.length > 1) throw invalidRequest('Expected one hint about the user.');
  const hint = form.get('login_hint');
  if (hint === undefined) throw invalidRequest('Expected the parameter login_hint.');
  return readLoginHint(hint, issuers);
}

function readExpiry(form: Form): number | undefined {
  const expiry = form.get('requested_expiry');
  if (expiry === undefined || /^0*[1-9]\d*$/.test(expiry))
    return expiry === undefined ? undefined : Number(expiry);
  throw invalidRequest('Expected a requested_expiry that is a whole number of seconds above 0.');
}

/** Members that nobody knows are ignored. */
const requestContext = v.object(originMembers);

/** The syntax of a bearer token (RFC 6750, section 2.1), with the length limit of CIBA Core 1.0, section 7.1. */
const bearerToken = /^[\w\-.~+/]+=*$/;
const longestToken = 1024;

function readToken(form: Form): string | undefined {
  const token = form.get('client_notification_token');
  if (token === undefined || (token.length <= longestToken && bearerToken.test(token))) return token;
  throw invalidRequest(
    `Expected a client_notification_token that is a bearer token of at most ${longestToken} characters.`,
  );
}

function readMessage(form: Form): string | undefined {
  const message = form.get('binding_message');
  const [issue] = message === undefined ? [] : (v.safeParse(messageText, message).issues ?? []);
  if (!issue) return message;
  throw new OAuthError('invalid_binding_message', `In the binding_message: ${issue.message}.`);
}

function readDetails(form: Form): AuthorizationDetails | undefined {
  const text = form.get('authorization_details');
  const parsed = text === undefined ? undefined : parseAuthorizationDetails(text);
  if (!parsed || !('faults' in parsed)) return parsed;
  throw new OAuthError('invalid_authorization_details', describeFaults(parsed.faults));
}

/** Levels of JSON in a `request_context`. Members that are ignored may be deeper than ours. */
const deepestContext = 8;

function readRequestContext(form: Form): RequestOrigin | undefined {
  const text = form.get('request_context');
  if (text === undefined) return undefined;
  const parsed = v.safeParse(requestContext, parseContext(text));
  if (parsed.success) return Object.keys(parsed.output).length > 0 ? parsed.output : undefined;
  const [issue] = parsed.issues;
  throw invalidRequest(`In the request_context at ${v.getDotPath(issue) ?? 'the top'}: ${issue.message}.`);
}

function parseContext(text: string): Record<string, unknown> {
  const expected = 'Expected a request_context that is a JSON object without a repeated member.';
  try {
    const value = parseUnambiguous(text, deepestContext);
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw invalidRequest(expected);
}

const describeFaults = ([first]: { pointer: string; detail: string }[]): string =>
  printable(
    `In the authorization_details${first?.pointer ? ` at ${first.pointer}` : ''}: ${first?.detail ?? ''}.`,
  );

/** RFC 6749, section 5.2: the characters of an error_description. A pointer may have others. */
const printable = (text: string): string => text.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?');
