import { DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import type { Finding, Probe } from '../../doctor/probe.ts';
import { globalRegion, type Planned } from '../planned.ts';

/** The least version of the bootstrap stack that the CDK's templates ask for. */
const leastVersion = 6;

/** What `cdk bootstrap` made in each region that gets a stack. */
export const bootstrapProbe: Probe<Planned> = {
  name: 'bootstrap',
  check: async (planned) => {
    const { api, data } = planned.config;
    const regions = [
      planned.region,
      ...(api.edge ? [globalRegion] : []),
      ...(data.copies ? [data.copies.region] : []),
    ];
    return await Promise.all([...new Set(regions)].map(async (region) => await checkRegion(planned, region)));
  },
};

async function checkRegion({ clients, account }: Planned, region: string): Promise<Finding> {
  const fix = `Run: npx cdk bootstrap aws://${account}/${region}`;
  const version = await versionIn(clients(region).cloudformation);
  if (version === undefined) return { subject: region, ok: false, detail: 'is not bootstrapped', fix };
  if (version < leastVersion)
    return { subject: region, ok: false, detail: `version ${version}, ${leastVersion} is needed`, fix };
  return { subject: region, ok: true, detail: `version ${version}` };
}

type CloudFormation = ReturnType<Planned['clients']>['cloudformation'];

/** Undefined if there is no bootstrap stack. CloudFormation has no error of its own for that. */
async function versionIn(cloudformation: CloudFormation): Promise<number | undefined> {
  try {
    const { Stacks = [] } = await cloudformation.send(new DescribeStacksCommand({ StackName: 'CDKToolkit' }));
    const output = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'BootstrapVersion');
    return output && Number(output.OutputValue);
  } catch (error) {
    if (error instanceof Error && error.message.includes('does not exist')) return undefined;
    throw error;
  }
}
