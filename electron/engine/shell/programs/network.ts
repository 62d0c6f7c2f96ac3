import { names } from './options.ts';
import { copied, optionValues, type Program } from './program.ts';
import { copiedWhole, wholeTree } from './sweeps.ts';

export const curl: Program = {
  names: 'curl',
  words: 'names',
  connects: true,
  // Not what writes a file or sends one (`-o`, `-O`, `-T`, `-d @file`), nor `-K`, `-E`, `-w`, which may name one.
  open: {
    short: 'sSLkfIivgGqN46X:H:m:A:e:r:',
    long: names(
      'silent show-error location insecure fail fail-with-body head include verbose globoff get compressed request= header= ' +
        'max-time= connect-timeout= user-agent= referer= range= retry= retry-delay= http1.1 http2 ipv4 ipv6 no-progress-meter',
    ),
  },
  // What stands in its configuration may be the address of any file.
  sweeps: (argv) => (argv.some((word) => /^-[A-Za-z]*K|^--config(?:=|$)/.test(word)) ? [wholeTree] : []),
  outputs: '-o --output --output-dir -c --cookie-jar -D --dump-header --trace --trace-ascii',
  flags: {
    '': [
      'X request | d data | o output | O remote-name | T upload-file | F form | k insecure | H header | u user | K config | ' +
        'L location | s silent | x proxy',
      'XdoTFHuKxAbceEmrwyzCDPQtUY',
    ],
  },
  seconds: 10,
};

export const wget: Program = {
  names: 'wget',
  connects: true,
  takes: [{ long: 'use-askpass' }],
  outputs: '-O --output-document -P --directory-prefix',
  flags: { '': ['O output-document | q quiet | P directory-prefix | r recursive | m mirror', 'OPoaetTwQUDARIX'] },
  seconds: 15,
};

/** OpenSSH 9: options of its configuration that name a command. */
const connected = {
  short: 'o',
  within: /^\s*(?:proxycommand|localcommand|knownhostscommand|remotecommand)\s*[=\s]\s*(.*)$/is,
};

export const ssh: Program = {
  names: 'ssh',
  connects: true,
  wraps: {
    joined: true,
    skip: 1,
    valued: 'BbcDEeFIiJLlmOopQRSWw'
      .split('')
      .map((letter) => `-${letter}`)
      .join(' '),
  },
  takes: [connected],
};

export const network: readonly Program[] = [
  {
    names: 'scp',
    connects: true,
    sweeps: copiedWhole(/^-[A-Za-z0-9]*r/),
    takes: [connected, { short: 'S' }],
    writes: ({ words }, names) => copied(names, optionValues(words, ['-t', '--target-directory'])),
  },
  { names: 'sftp', connects: true, sweeps: () => [wholeTree], takes: [connected, { short: 'S' }] },
  {
    names: 'rsync',
    sweeps: copiedWhole(),
    connects: true,
    takes: [{ long: 'rsh rsync-path', short: 'e' }],
    writes: ({ words }, names) => copied(names, optionValues(words, ['-t', '--target-directory'])),
    destroys: ({ argv, words }) =>
      argv.some((word) => word.startsWith('--del'))
        ? { verb: 'deletes what is missing elsewhere in', words: words.slice(1).slice(-1) }
        : undefined,
  },
  ...['nc', 'ncat', 'netcat'].map(
    (names): Program => ({ names, connects: true, takes: [{ long: 'exec sh-exec lua-exec', short: 'ec' }] }),
  ),
  {
    names: 'socat',
    connects: true,
    interprets: 'commands',
    runsIn: /^(?:exec|system|shell):([^,]+)/is,
  },
  { names: 'tcpdump', takes: [{ short: 'z' }] },
  // What they send is chosen while they run, or stands in what they are sent.
  ...['ftp', 'lftp'].map((names): Program => ({ names, connects: true, sweeps: () => [wholeTree] })),
  ...(
    'wget2 http https xh aria2c lynx links w3m telnet ping ping6 traceroute dig host nslookup whois mosh nmap ' +
    'openssl'
  )
    .split(' ')
    .map((names): Program => ({ names, connects: true })),
];
