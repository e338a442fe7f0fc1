import type { TenantLambda } from '../../lambdas/routes.ts';
import { exampleExports } from './export-examples.ts';
import { ledgerOperations } from './ledger-operations.ts';
import type { WebsiteOperation } from './operation.ts';

const example = (summary: string, value: unknown) => ({ summary, value });

/** By which tenants see and steer their own export. */
export const exportOperations: Record<TenantLambda, WebsiteOperation> = {
  'list-exports': {
    tag: 'exports',
    summary: 'List your exports',
    description:
      "Where your tenant's events go, in which state each export is, why, and what has to be done by whom. The counts are about right: " +
      'the ledger is exact.',
    success: {
      status: 200,
      description:
        'At most one export for each category. A category without an export has never had a destination.',
      content: {
        schema: 'ExportList',
        examples: {
          active: example('A stream and a bucket, both active', exampleExports.listed),
          refused: example('The role may not write any more', exampleExports.refused),
        },
      },
    },
  },
  ...ledgerOperations,
};
