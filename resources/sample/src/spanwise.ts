export { DurationError } from './durationError.ts';
export { format } from './format.ts';
export { parse } from './parse.ts';
export { type Unit, units } from './units.ts';
