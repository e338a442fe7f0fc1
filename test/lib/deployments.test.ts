/** What deployments keep, take away and share, over the templates of several stages and settings. */
import './keys.ts';
import './omi-stage.ts';
import './operator-roles.ts';
import './regions.ts';
import './released.ts';
import './rollout.ts';
import './stacks.ts';
import './updates.ts';
import './upgrade.ts';
