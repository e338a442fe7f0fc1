import { describe, expect, test } from '@jest/globals';
import {
  ChildProcessError,
  startChildProcess,
} from '../../../../../tools/local/aws/emulators/child-process.ts';

describe('an emulator in its own process', () => {
  test('is ready at its first matching line, and exits when its standard input ends', async () => {
    const child = startChildProcess('sh', ['-c', 'echo starting; echo listening 4566; cat']);
    expect((await child.firstLine(/^listening (\d+)$/m))[1]).toBe('4566');
    await child.close();
    expect(await child.exited).toBe(0);
  });

  test('is reported with its output if it exits before it is ready', async () => {
    const child = startChildProcess('sh', ['-c', 'echo no room >&2; exit 3']);
    const ready = child.firstLine(/^listening/m);
    await expect(ready).rejects.toThrow(ChildProcessError);
    await expect(ready).rejects.toThrow('sh exited with code 3 before it was ready: no room');
  });

  test('cannot become ready if it does not exist', async () => {
    await expect(startChildProcess('/no/such/program', []).firstLine(/^listening/m)).rejects.toThrow(
      ChildProcessError,
    );
  });

  test('does not get the signals of a terminal', async () => {
    const child = startChildProcess('sh', ['-c', 'echo $$ $(cut -d" " -f5 /proc/$$/stat); cat']);
    const [, pid, group] = await child.firstLine(/^(\d+) (\d+)$/m);
    expect(group).toBe(pid);
    await child.close();
  });
});
