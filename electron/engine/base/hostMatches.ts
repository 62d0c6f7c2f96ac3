/** `*` in a host stands for one or more labels (`*.example.org`), alone for any host. */
export function hostMatches(pattern: string, host: string): boolean {
  const given = canonicalHost(host);
  if (pattern.trim() === '*') return true;
  const below = /^\*\.(.+)$/s.exec(pattern.trim())?.[1];
  if (below === undefined) return canonicalHost(pattern) === given;
  const wanted = canonicalHost(below);
  return given.endsWith(`.${wanted}`) && given.length > wanted.length + 1;
}

/**
 * A host as a browser writes it, so that each has one spelling: lower case, letters of other scripts as `xn--`, no dot at
 * the end, and addresses in decimal, octal, hexadecimal or IPv6 form as the one address that they are.
 */
export function canonicalHost(host: string): string {
  const plain = host.trim().toLowerCase();
  if (/[\s/\\?#@]/.test(plain)) return plain;
  const bracketed = /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*$/.test(plain) ? `[${plain}]` : plain;
  const url = URL.parse(`http://${bracketed}/`);
  if (!url || url.port !== '') return plain.replace(/\.+$/, '');
  const name = url.hostname.replace(/\.+$/, '');
  const mapped = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(name);
  if (!mapped) return name;
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
