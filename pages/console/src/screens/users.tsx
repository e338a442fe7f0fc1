import { BrandMark } from '#ui/brand-mark.tsx';
import { Button } from '#ui/buttons.tsx';
import { Notice, Problem, Title, Working } from '#ui/states.tsx';
import { timeText } from '#ui/times.ts';
import type { User } from '../api/shapes.ts';
import { CallerCheck } from '../parts/caller-check.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Devices } from '../parts/devices.tsx';
import { History } from '../parts/history.tsx';
import { Limits } from '../parts/limits.tsx';
import { RecoveryPanel } from '../parts/recovery.tsx';
import { isSuspicious } from '../text/labels.ts';
import { tenantTitle } from '../text/tenant-title.ts';
import type { View } from '../view.ts';

/** Finds a user by the exact id, and shows what can be done. */
export function Users({ view }: { view: View }) {
  const { state, actions } = view;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const textOf = (name: string): string => {
      const value = data.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    void actions.find({ tenantId: textOf('tenant'), userId: textOf('user') });
  };
  return (
    <div class="stack">
      <Title>Help a user</Title>
      <form class="card" onSubmit={submit} autocomplete="off">
        <div class="grid">
          <div class="field">
            <label for="tenant">Tenant</label>
            <select id="tenant" name="tenant">
              {state.session?.tenants.map(({ tenantId }, _, all) => (
                <option key={tenantId} value={tenantId}>
                  {tenantTitle(all, tenantId)}
                </option>
              ))}
            </select>
          </div>
          <div class="field">
            <label for="user">User id, exactly</label>
            <input
              id="user"
              name="user"
              required
              maxLength={128}
              spellcheck={false}
              autocapitalize="off"
              aria-describedby="user-hint"
            />
          </div>
        </div>
        <p id="user-hint" class="muted small">
          The id by which the tenant's website knows the user. There is no search by a part of it. That you
          look is recorded.
        </p>
        <div class="actions">
          <Button kind="primary" submits isBusy={state.busy === 'find'}>
            Find the user
          </Button>
        </div>
      </form>
      <Result view={view} />
    </div>
  );
}

function Result({ view }: { view: View }) {
  const { found, busy } = view.state;
  if (!found) return null;
  if (found.problem !== undefined) return <Problem>{found.problem}</Problem>;
  if (!found.user) return busy === 'find' ? <Working>Looking …</Working> : null;
  return <UserCards view={view} user={found.user} />;
}

const UserCards = ({ view, user }: { view: View; user: User }) => (
  <>
    <Summary view={view} user={user} />
    {isSuspicious(user.confirmations) && (
      <Notice tone="warn" title="This looks like an attack">
        <p>
          Questions to this user were denied. Somebody else may know the password. Find out by the number
          below whether the caller is the user. If not, suspend the user, and have the password changed.
        </p>
      </Notice>
    )}
    <CallerCheck view={view} user={user} />
    <Devices view={view} user={user} />
    <RecoveryPanel view={view} user={user} />
    <Limits view={view} user={user} />
    <History view={view} user={user} />
  </>
);

function Summary({ view, user }: { view: View; user: User }) {
  const { state, actions } = view;
  const { suspendedSince } = user;
  return (
    <section class="card" aria-labelledby="summary-title">
      <h2 id="summary-title">
        <bdi>{user.account ?? user.userId}</bdi>
      </h2>
      <dl class="lines pairs">
        <div>
          <dt>User id</dt>
          <dd class="value">{user.userId}</dd>
        </div>
        <div>
          <dt>Tenant</dt>
          <dd>
            {tenantTitle(state.session?.tenants ?? [], user.tenant.tenantId)}
            <BrandMark brand={state.brand} tenant={user.tenant.name} />
          </dd>
        </div>
      </dl>
      {user.tenant.state === 'suspended' && (
        <Notice tone="bad" title="The tenant is suspended">
          <p>Until it is resumed, its website can ask nobody, and the devices of its users show nothing.</p>
        </Notice>
      )}
      {suspendedSince !== undefined && (
        <Notice tone="bad" title="Suspended">
          <p>
            Since {timeText(suspendedSince)}. Nobody can ask this user, and no device of the user can enrol or
            answer.
          </p>
        </Notice>
      )}
      {state.question?.what === 'suspend' ? (
        <Confirm
          view={view}
          question="Suspend this user? Nobody can ask, and no device can enrol or answer, until somebody ends it here."
          yes="Suspend the user"
          onYes={() => void actions.act('suspend')}
        />
      ) : (
        <div class="actions">
          {suspendedSince === undefined ? (
            <Button kind="danger" onClick={() => actions.ask({ what: 'suspend' })}>
              Suspend the user …
            </Button>
          ) : (
            <Button isBusy={state.busy === 'unsuspend'} onClick={() => void actions.act('unsuspend')}>
              End the suspension
            </Button>
          )}
        </div>
      )}
    </section>
  );
}
