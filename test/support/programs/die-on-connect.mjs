// Loaded into a program by NODE_OPTIONS: it dies, as by a crash, the moment it would connect to the
// port that DIE_ON_CONNECT names.
import { Socket } from 'node:net';

const port = Number(process.env.DIE_ON_CONNECT);
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...given) {
  const [first] = given.flat();
  if (Number(first?.port ?? first) === port) process.kill(process.pid, 'SIGKILL');
  return connect.apply(this, given);
};
