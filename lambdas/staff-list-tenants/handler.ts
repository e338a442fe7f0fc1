import * as v from 'valibot';
import { covers } from '../../core/access/staff-member.ts';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { type TenantDirectory, tenantView } from '../../core/staff/tenant-directory-store.ts';

const request = v.object({});

export type Deps = { tenants: Pick<TenantDirectory, 'list'> };

export const createHandler = ({ tenants }: Deps) =>
  staffHandler(request, async (_, { member }) => {
    const its = (await tenants.list()).filter(({ tenantId }) => covers(member, tenantId));
    const { memberId, isOperator } = member;
    return json(200, { member: { memberId, isOperator }, tenants: its.map(tenantView) });
  });
