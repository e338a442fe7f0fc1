import { describe, expect, test } from '@jest/globals';
import { ChildProcessError, startChildProcess } from '../../../../local/aws/emulators/child-process.ts';

describe('an emulator in a process of its own', () => {
  test('is ready when it says so, and ends when its standard input does', async () => {
    const child = startChildProcess('sh', ['-c', 'echo starting; echo listening 4566; cat']);
    expect((await child.firstLine(/^listening (\d+)$/m))[1]).toBe('4566');
    await child.close();
    expect(await child.exited).toBe(0);
  });

  test('that ends before it is ready is told by what it said', async () => {
    const child = startChildProcess('sh', ['-c', 'echo no room >&2; exit 3']);
    const ready = child.firstLine(/^listening/m);
    await expect(ready).rejects.toThrow(ChildProcessError);
    await expect(ready).rejects.toThrow('sh ended with 3 before it was ready: no room');
  });

  test('that does not exist is not ready either', async () => {
    await expect(startChildProcess('/no/such/program', []).firstLine(/^listening/m)).rejects.toThrow(
      ChildProcessError,
    );
  });

  test('does not get the signals of a terminal, which are for the stack', async () => {
    const child = startChildProcess('sh', ['-c', 'echo $$ $(cut -d" " -f5 /proc/$$/stat); cat']);
    const [, pid, group] = await child.firstLine(/^(\d+) (\d+)$/m);
    expect(group).toBe(pid);
    await child.close();
  });
});
