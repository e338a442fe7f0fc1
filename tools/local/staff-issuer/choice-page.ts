import { localMembers } from './members.ts';

/** Nothing of it comes from a request. */
export const choicePage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>Sign in to the local stack</title></head>
<body>
<main>
<h1>Who are you?</h1>
<p>This is the local stack: people sign in without a password.</p>
<form method="post">
${localMembers.map(({ memberId, name }) => `<p><button name="member" value="${memberId}">${name}</button></p>`).join('\n')}
</form>
</main>
</body>
</html>
`;
