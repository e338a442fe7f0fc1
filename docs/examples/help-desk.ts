/**
 * The help desk replaces a lost phone, once it is sure who calls: `OMI_CLIENT_ID` and `OMI_CLIENT_SECRET` are of a client of its
 * own with the scopes `credential:omi:devices:get`, `credential:omi:devices:delete`, `credential:omi:enrol:qr:post` and
 * `credential:omi:recovery`.
 */
import { Omi } from '@omi/website';

const omi = new Omi({ recovery: true });

const [userId = '', lostDevice] = process.argv.slice(2);
for (const { deviceId, name } of await omi.devices(userId)) {
  if (deviceId !== lostDevice && name !== lostDevice) continue;
  await omi.removeDevice(userId, deviceId);
  console.log(`Removed ${name}.`);
}
const { qr, expiresAt } = await omi.enrol({ userId });
console.log(`Until ${expiresAt} the new phone can be added with this link, which is for the user alone:`);
console.log(qr);
