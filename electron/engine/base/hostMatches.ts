/** `*` in a host stands for one or more labels (`*.example.org`), alone for any host. */
export function hostMatches(pattern: string, host: string): boolean {
  const normal = (text: string) => text.toLowerCase().replace(/\.$/, '');
  const [wanted, given] = [normal(pattern), normal(host)];
  if (wanted.startsWith('*.')) return given.endsWith(wanted.slice(1)) && given.length > wanted.length - 1;
  return wanted === '*' || wanted === given;
}
