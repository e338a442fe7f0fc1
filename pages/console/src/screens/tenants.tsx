import { Button } from '#ui/buttons.tsx';
import { Title } from '#ui/states.tsx';
import type { TenantDetails } from '../api/shapes.ts';
import { tenantTitle } from '../text/tenant-title.ts';
import type { View } from '../view.ts';

/** For operators: settings and clients of a tenant, without secrets. */
export function Tenants({ view: { state, actions } }: { view: View }) {
  return (
    <div class="stack">
      <Title>Tenants</Title>
      <ul class="lines card">
        {state.session?.tenants.map(({ tenantId, name, state: of }) => (
          <li key={tenantId} class="stack tight">
            <span>
              <strong>{name}</strong> {of === 'active' ? '' : `(${of})`}
            </span>
            <span class="value">{tenantId}</span>
            <div class="actions">
              <Button
                label={`Show ${tenantTitle(state.session?.tenants ?? [], tenantId)}`}
                onClick={() => void actions.showTenant(tenantId)}
              >
                Show
              </Button>
            </div>
            {state.tenant?.tenantId === tenantId && <Details tenant={state.tenant} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

const Details = ({ tenant: { settings, clients } }: { tenant: TenantDetails }) => (
  <div class="stack close">
    <h2>Settings</h2>
    <dl class="lines pairs">
      {Object.entries(settings).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="value">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
    <h2>Clients</h2>
    <ul class="lines">
      {clients.map(({ clientId, name, scopes, hasKeys, hasCallback }) => (
        <li key={clientId}>
          <strong>{name ?? clientId}</strong> <span class="value">{clientId}</span>
          <p class="muted small">
            {[
              hasKeys ? 'signs with keys' : 'has a secret',
              ...(hasCallback ? ['is called back'] : []),
              ...(scopes.length > 0 ? [scopes.join(' ')] : []),
            ].join('; ')}
          </p>
        </li>
      ))}
    </ul>
  </div>
);
