import { accountId, region } from '../../identity.ts';
import { type Form, formMap, type XmlElement, xmlMap } from '../../protocols/query.ts';
import { invalid } from './errors.ts';
import { page } from './page.ts';
import { platforms, type SnsPlatform, type SnsState } from './state.ts';

const validName = /^[A-Za-z0-9_.-]{1,256}$/;
/** SNS never returns these attributes. */
const secrets = new Set(['PlatformCredential', 'PlatformPrincipal']);

/** Creating an existing application returns its ARN and sets the new attributes. */
export function createApplication(state: SnsState, form: Form): XmlElement[] {
  const { Name: name = '', Platform: platform = '' } = form;
  if (!validName.test(name))
    throw invalid('Name', 'contains characters that are not allowed, or too many of them');
  if (!isPlatform(platform)) throw invalid('Platform', `Unsupported platform ${platform}`);
  const attributes = formMap(form, 'Attributes');
  const arn = `arn:aws:sns:${region}:${accountId}:app/${platform}/${name}`;
  state.putApplication({ arn, platform, attributes: { Enabled: 'true', ...Object.fromEntries(attributes) } });
  return [['PlatformApplicationArn', arn]];
}

export function getApplicationAttributes(state: SnsState, form: Form): XmlElement[] {
  return [shown(state.application(form['PlatformApplicationArn']).attributes)];
}

export function setApplicationAttributes(state: SnsState, form: Form): XmlElement[] {
  const application = state.application(form['PlatformApplicationArn']);
  const attributes = { ...application.attributes, ...Object.fromEntries(formMap(form, 'Attributes')) };
  state.putApplication({ ...application, attributes });
  return [];
}

export function deleteApplication(state: SnsState, form: Form): XmlElement[] {
  state.deleteApplication(form['PlatformApplicationArn'] ?? '');
  return [];
}

export function listApplications(state: SnsState, form: Form): XmlElement[] {
  const members = [...state.applications.values()].map(({ arn, attributes }): XmlElement => {
    return ['member', [['PlatformApplicationArn', arn], shown(attributes)]];
  });
  return page('PlatformApplications', members, form);
}

function shown(attributes: Record<string, string>): XmlElement {
  return xmlMap(
    'Attributes',
    Object.entries(attributes).filter(([name]) => !secrets.has(name)),
  );
}

function isPlatform(platform: string): platform is SnsPlatform {
  return platform in platforms;
}
