/**
 * The templates of a stage, part by part. They are tests of one file, because loading the CDK takes longer than most of them,
 * and many look at the same template.
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
import './monitoring.ts';
import './permissions.ts';
import './push.ts';
import './web-app.ts';
import './web-push.ts';
