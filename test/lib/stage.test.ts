/**
 * The templates of a stage, part by part, and what deployments keep, take away and share. They are tests of one file, because to
 * load the CDK and to make a template takes longer than most of them, and many look at the same template.
 */
import './api.ts';
import './config.ts';
import './console.ts';
import './copies.ts';
import './data.ts';
import './demo.ts';
import './edge.ts';
import './event-sources.ts';
import './exports-page.ts';
import './functions.ts';
import './identity.ts';
import './keys.ts';
import './monitoring.ts';
import './omi-stage.ts';
import './operator-roles.ts';
import './permissions.ts';
import './push.ts';
import './regions.ts';
import './released.ts';
import './rollout.ts';
import './stacks.ts';
import './updates.ts';
import './upgrade.ts';
import './web-app.ts';
import './web-push.ts';
