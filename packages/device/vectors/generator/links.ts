/** What a QR code holds. */
import { appLink, baseUrl, code } from './story.ts';

const local = 'http://localhost:8080';
const fragment = (api: string, version = '1') => `#v=${version}&api=${encodeURIComponent(api)}&code=${code}`;
const good = `${appLink}/enrol${fragment(baseUrl)}`;

const accepted = (name: string, text: string, expected: object = { baseUrl, code }) => ({
  name,
  text,
  expected,
});
const refused = (name: string, text: string, error: string) => ({ name, text, expected: { error } });

export const enrolmentLink = () => ({
  about:
    'Reading an enrolment link. "error" is the code of the DeviceError. Where "baseUrl" is given beside the text, the app belongs ' +
    'to that service alone.',
  vectors: [
    accepted('a link', good),
    accepted('a base URL that is not encoded', `${appLink}/enrol#v=1&api=${baseUrl}&code=${code}`),
    accepted(
      'other order, and a member that is not known',
      `${appLink}/enrol#note=1&code=${code}&api=${encodeURIComponent(baseUrl)}&v=1`,
    ),
    accepted('an app link with a path', `https://shop.example.org/app/enrol${fragment(baseUrl)}`),
    accepted('a base URL with a path', `${appLink}/enrol${fragment(`${baseUrl}/prod`)}`, {
      baseUrl: `${baseUrl}/prod`,
      code,
    }),
    accepted('a local service', `${appLink}/enrol${fragment(local)}`, { baseUrl: local, code }),
    accepted('a local service by its address', `${appLink}/enrol${fragment('http://127.0.0.1:8080')}`, {
      baseUrl: 'http://127.0.0.1:8080',
      code,
    }),
    accepted('a local app', `http://localhost:8081/enrol${fragment(local)}`, { baseUrl: local, code }),
    { ...accepted("the app's own service", good), baseUrl },
    {
      ...refused('another service than the app belongs to', good, 'foreign-link'),
      baseUrl: 'https://omi.bank.example',
    },
    refused('a newer version', `${appLink}/enrol${fragment(baseUrl, '2')}`, 'unsupported-link'),
    refused('no version', `${appLink}/enrol#api=${encodeURIComponent(baseUrl)}&code=${code}`, 'invalid-link'),
    refused('no code', `${appLink}/enrol#v=1&api=${encodeURIComponent(baseUrl)}`, 'invalid-link'),
    refused('an empty code', `${appLink}/enrol#v=1&api=${encodeURIComponent(baseUrl)}&code=`, 'invalid-link'),
    refused('no base URL', `${appLink}/enrol#v=1&code=${code}`, 'invalid-link'),
    refused('a link that a shell has cut at its first &', `${appLink}/enrol#v=1`, 'invalid-link'),
    refused('a base URL that is no URL', `${appLink}/enrol${fragment('omi.example.org')}`, 'invalid-link'),
    refused(
      'a base URL without TLS',
      `${appLink}/enrol${fragment('http://omi.example.org')}`,
      'invalid-link',
    ),
    refused(
      'a base URL that is a script',
      `${appLink}/enrol${fragment('javascript:alert(1)')}`,
      'invalid-link',
    ),
    refused('a link without TLS', `http://app.example.org/enrol${fragment(baseUrl)}`, 'invalid-link'),
    refused('another path', `${appLink}/other${fragment(baseUrl)}`, 'invalid-link'),
    refused('no fragment', `${appLink}/enrol`, 'invalid-link'),
    refused('a query in place of the fragment', good.replace('#', '?'), 'invalid-link'),
    refused('another QR code', 'WIFI:S:network;;', 'invalid-link'),
    refused('nothing', '', 'invalid-link'),
  ],
});
