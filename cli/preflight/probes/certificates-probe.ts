import type { Finding, Probe } from '../../doctor/probe.ts';
import { globalRegion, type Planned } from '../planned.ts';

/** Whether each certificate is where the service that shows it looks for it: CloudFront in us-east-1, API Gateway in the region. */
export const certificatesProbe: Probe<Planned> = {
  name: 'certificates',
  check: async ({ config: { api, webApp, exportsPage, console: desk }, account, region }) => {
    const wanted: [setting: string, arn: string | undefined, region: string][] = [
      ['api.domain', api.domain?.certificateArn, region],
      ['api.edge', api.edge?.certificateArn, globalRegion],
      ['webApp.domain', webApp.enabled ? webApp.domain?.certificateArn : undefined, globalRegion],
      [
        'exportsPage.domain',
        exportsPage.enabled ? exportsPage.domain?.certificateArn : undefined,
        globalRegion,
      ],
      ['console.domain', desk.enabled ? desk.domain?.certificateArn : undefined, globalRegion],
    ];
    return await Promise.resolve(
      wanted.flatMap(([setting, arn, needed]) =>
        arn === undefined ? [] : [judge(setting, arn, { region: needed, account })],
      ),
    );
  },
};

function judge(subject: string, arn: string, needed: { region: string; account: string }): Finding {
  const [, , , region = '', account = ''] = arn.split(':');
  if (region !== needed.region)
    return {
      subject,
      ok: false,
      detail: `its certificate is in ${region}`,
      fix: `Request it in ${needed.region}: certificates cannot be moved.`,
    };
  if (account !== needed.account)
    return {
      subject,
      ok: false,
      detail: `its certificate belongs to the account ${account}`,
      fix: `Request one in ${needed.account}.`,
    };
  return { subject, ok: true, detail: `in ${region}` };
}
