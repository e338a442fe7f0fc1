import { Button } from '#ui/buttons.tsx';
import { Chip } from '#ui/states.tsx';
import { agoText, timeText } from '#ui/times.ts';
import type { Device, User } from '../api/shapes.ts';
import type { View } from '../view.ts';
import { Confirm } from './confirm.tsx';

export const Devices = ({ view, user }: { view: View; user: User }) => (
  <section class="card" aria-labelledby="devices-title">
    <h2 id="devices-title">Devices</h2>
    {user.devices.length === 0 ? (
      <p class="muted">None.</p>
    ) : (
      <ul class="lines">
        {user.devices.map((device) => (
          <li key={device.deviceId}>
            <OneDevice view={view} device={device} />
          </li>
        ))}
      </ul>
    )}
  </section>
);

/** In words that a member of the help desk can say to a caller. */
const platforms: Record<Device['platform'], string> = {
  fcm: 'App (pushes by Google)',
  apns: 'App (pushes by Apple)',
  'apns-sandbox': 'Test build of an app (pushes by Apple)',
  web: 'Browser',
};

function OneDevice({ view, device }: { view: View; device: Device }) {
  const { state, actions } = view;
  const { deviceId, name, platform, model, status, enrolledAt, lastSeenAt } = device;
  const isAsked = state.question?.what === 'remove-device' && state.question.deviceId === deviceId;
  return (
    <div class="stack tight">
      <div class="cluster">
        <h3>
          <bdi>{name}</bdi>
        </h3>
        {status === 'unreachable' && <Chip tone="warn">Gets no notifications</Chip>}
      </div>
      <p class="muted small">
        {platforms[platform]}
        {model !== undefined && (
          <>
            {', '}
            <bdi>{model}</bdi>
          </>
        )}
        . Enrolled {timeText(enrolledAt)}
        {lastSeenAt === undefined ? ', never seen since' : `, last seen ${agoText(lastSeenAt, state.now)}`}.
      </p>
      {isAsked ? (
        <Confirm
          view={view}
          question={`Remove the device “${name}”? It can no longer confirm anything.`}
          yes="Remove the device"
          onYes={() => void actions.removeDevice(deviceId)}
        />
      ) : (
        <div class="actions">
          <Button
            kind="danger"
            label={`Remove the device ${name}`}
            onClick={() => actions.ask({ what: 'remove-device', deviceId, name })}
          >
            Remove …
          </Button>
        </div>
      )}
    </div>
  );
}
