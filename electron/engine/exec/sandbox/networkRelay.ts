/**
 * Runs inside a sandbox, whose loopback is its own: takes connections there and passes each on to the socket of the filter.
 * Says its port and lets go of its output, so that who waits for the port goes on.
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
`;

/** Without a port there is no relay and so no network; the command runs all the same, as it would without any. */
const script = `
port=$(ELECTRON_RUN_AS_NODE=1 "$1" -e "$2" "$3" </dev/null 2>/dev/null &)
if [ -n "$port" ]; then
  export http_proxy="http://127.0.0.1:$port" no_proxy=localhost,127.0.0.1,::1 NODE_USE_ENV_PROXY=1
  export https_proxy="$http_proxy" HTTP_PROXY="$http_proxy" HTTPS_PROXY="$http_proxy" NO_PROXY="$no_proxy"
fi
shift 3
exec "$@"
`;

/** The command behind a relay, to be run inside the sandbox. `socket` is where the filter listens. */
export function behindRelay(
  file: string,
  args: readonly string[],
  socket: string,
): { readonly file: string; readonly args: readonly string[] } {
  return { file: '/bin/sh', args: ['-c', script, 'sh', process.execPath, relay, socket, file, ...args] };
}
