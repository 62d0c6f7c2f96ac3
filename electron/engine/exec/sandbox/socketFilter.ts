/**
 * The filter for system calls (seccomp, classic BPF) that keeps a sandboxed command from sockets of this machine: Docker,
 * gpg-agent, databases. Mounts hide those that exist when it starts; a name without a file (abstract), or one that is made
 * later, only the kernel's refusal to make such a socket at all keeps away. Numbers: the kernel's tables of system calls.
 */
interface Architecture {
  /** `AUDIT_ARCH_*`: which table of system calls a call is of. */
  readonly audit: number;
  readonly socket: number;
  readonly socketpair: number;
  /** Rings make sockets past this filter; keyrings hold keys of the person's session; `socketcall` hides what it asks for. */
  readonly refused: readonly number[];
}

const ioUringSetup = 425;

/** A processor's own table, and the one of 32 bits that it also obeys. */
const architectures: Readonly<Record<string, readonly Architecture[]>> = {
  x64: [
    { audit: 0xc000003e, socket: 41, socketpair: 53, refused: [ioUringSetup, 248, 249, 250] },
    { audit: 0x40000003, socket: 359, socketpair: 360, refused: [ioUringSetup, 102, 286, 287, 288] },
  ],
  arm64: [
    { audit: 0xc00000b7, socket: 198, socketpair: 199, refused: [ioUringSetup, 217, 218, 219] },
    { audit: 0x40000028, socket: 281, socketpair: 288, refused: [ioUringSetup, 309, 310, 311] },
  ],
};

/** Internet and the kernel's own routes; no machine of the host (vsock), no Bluetooth, no raw hardware. */
const families = { inet: 2, inet6: 10, netlink: 16 };
/** Pairs are pipes between relatives; one of datagrams can send to any name, so it is none. */
const pairKinds = { stream: 1, seqpacket: 5 };

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number];

const [load, equal, atLeast, and, answer] = [0x20, 0x15, 0x35, 0x54, 0x06];
/** Where the call's number, its table and the low half of its arguments lie in what the filter sees. */
const [numberAt, tableAt, firstAt, secondAt] = [0, 4, 16, 24];
const allowed: Instruction = [answer, 0, 0, 0x7fff0000];
const notPermitted: Instruction = [answer, 0, 0, 0x00050000 + 1];
const noSuchCall: Instruction = [answer, 0, 0, 0x00050000 + 38];
/** Calls of the x32 table bear this mark and come under the name of the 64-bit one. */
const x32Mark = 0x40000000;

const when = (value: number, then: readonly Instruction[]): readonly Instruction[] => [
  [equal, 0, then.length, value],
  ...then,
];

function filterOf({ audit, socket, socketpair, refused }: Architecture): readonly Instruction[] {
  return when(audit, [
    [load, 0, 0, numberAt],
    [atLeast, 0, 1, x32Mark],
    noSuchCall,
    ...refused.flatMap((call) => when(call, [notPermitted])),
    ...when(socket, [
      [load, 0, 0, firstAt],
      ...Object.values(families).flatMap((family) => when(family, [allowed])),
      notPermitted,
    ]),
    ...when(socketpair, [
      [load, 0, 0, secondAt],
      [and, 0, 0, 0xf], // the rest are flags
      ...Object.values(pairKinds).flatMap((kind) => when(kind, [allowed])),
      notPermitted,
    ]),
    allowed,
  ]);
}

/** The program's bytes (`struct sock_filter`, little-endian); undefined for a processor whose table is not known here. */
function socketFilter(processor: string): Buffer | undefined {
  const known = architectures[processor];
  if (known === undefined) return undefined;
  const instructions = [[load, 0, 0, tableAt] as const, ...known.flatMap(filterOf), noSuchCall];
  const bytes = Buffer.alloc(instructions.length * 8);
  for (const [index, [code, whenTrue, whenFalse, value]] of instructions.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(whenTrue, index * 8 + 2);
    bytes.writeUInt8(whenFalse, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}

/**
 * Shell text that runs `"$@"` with the filter to be read from descriptor 9, and its own input as it was; undefined where
 * there is no filter. The bytes stand in the text: no file that somebody could change, none to take away.
 */
export function withSocketFilter(processor: string = process.arch): string | undefined {
  const bytes = socketFilter(processor);
  if (bytes === undefined) return undefined;
  const octal = [...bytes].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('');
  return `exec 8<&0; printf %b '${octal}' | { exec 9<&0 0<&8 8<&-; exec "$@"; }`;
}
