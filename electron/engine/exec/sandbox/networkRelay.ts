/**
 * Runs beside a sandbox, in the network that both have to themselves: takes connections on its loopback and passes each on to
 * the socket of the filter. Says its port and lets go of its output, so that who waits for the port goes on.
 * Ends with the sandbox, whose process it asks after: nothing that closes by itself joins the two.
 */
const relay = `
const net = require('node:net');
const fs = require('node:fs');
const server = net.createServer({ allowHalfOpen: true }, (client) => {
  const filter = net.connect({ path: process.argv[1], allowHalfOpen: true });
  client.on('error', () => filter.destroy());
  filter.on('error', () => client.destroy());
  client.on('close', () => filter.destroy());
  filter.on('close', () => client.destroy());
  client.pipe(filter).pipe(client);
});
server.listen(0, '127.0.0.1', () => {
  fs.writeSync(1, String(server.address().port));
  fs.closeSync(1);
  fs.openSync('/dev/null', 'w'); // the same number again: streams ask for it
});
setInterval(() => {
  try {
    process.kill(Number(process.argv[2]), 0);
  } catch {
    process.exit();
  }
}, 100);
`;

/**
 * Without a port there is no relay and so no network; the command runs all the same, as it would without any. The relay has
 * nothing of the command's environment, which may name programs and modules of the project.
 */
const script = `
port=$(/usr/bin/env -i ELECTRON_RUN_AS_NODE=1 "$1" -e "$2" "$3" $$ </dev/null 2>/dev/null &)
if [ -n "$port" ]; then
  export http_proxy="http://127.0.0.1:$port" no_proxy=localhost,127.0.0.1,::1 NODE_USE_ENV_PROXY=1
  export https_proxy="$http_proxy" HTTP_PROXY="$http_proxy" HTTPS_PROXY="$http_proxy" NO_PROXY="$no_proxy"
fi
shift 3
exec "$@"
`;

/**
 * The arguments of a first `bwrap` around the sandbox: a network of its own, in which the relay and the sandbox meet. The relay
 * stands outside, since the sandbox reaches no socket of this machine. `socket` is where the filter listens.
 */
export function besideRelay(program: string, args: readonly string[], socket: string): readonly string[] {
  const network = ['--die-with-parent', '--unshare-user', '--unshare-net', '--dev-bind', '/', '/', '--'];
  return [program, ...network, '/bin/sh', '-c', script, 'sh', process.execPath, relay, socket, program, ...args];
}
