import { prepare } from './prepare.mjs';

await prepare(import.meta.url);
const { mutateRoom } = await import('./mutateRoom.ts');
process.exitCode = await mutateRoom(process.argv.slice(2));
