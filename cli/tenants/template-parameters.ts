import {
  deliveryRoleArnOf,
  exporterRoleArnsOf,
  type Operator,
} from '../../core/export/verification/tenant-policies/operator-roles.ts';
import { fields } from '../text-table.ts';

/**
 * What the tenant's templates ask for (`docs/templates/`), by the names of their parameters. The roles' names are known
 * before the roles are there: a tenant deploys first, and answers with what `target set` takes.
 */
export const templateParameters = (operator: Operator, tenantId: string) => ({
  OperatorAccountId: operator.account,
  OperatorRoleArns: exporterRoleArnsOf(operator),
  DeliveryRoleArn: deliveryRoleArnOf(operator, tenantId),
});

export const describeParameters = ({
  OperatorRoleArns,
  ...others
}: ReturnType<typeof templateParameters>): string =>
  `Parameters of the tenant's templates:\n${fields({ ...others, OperatorRoleArns: OperatorRoleArns.join(',') })}`;
