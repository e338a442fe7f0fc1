import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { listLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { TenantDirectory, tenantView } from '../../core/staff/tenant-directory-store.ts';
import * as v from 'valibot';
import { covers } from '../../core/access/staff-member.ts';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { environment } from './definition.ts';

const { TENANTS_TABLE } = parseEnvironment(environment, process.env);
const tenants = new TenantDirectory(documentClient(), TENANTS_TABLE);

const request = v.object({});

export const handler = listLambda(
  staffHandler(request, async (_, { member }) => {
    const its = (await tenants.list()).filter(({ tenantId }) => covers(member, tenantId));
    const { memberId, isOperator } = member;
    return json(200, { member: { memberId, isOperator }, tenants: its.map(tenantView) });
  }),
);
