/** Loaded into the emulator's process before the emulator itself. */
import './patches/unix-socket.ts';
import './patches/exit-with-parent.ts';
