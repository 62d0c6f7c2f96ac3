/** The drag type of a path of the project; the composer takes it as a mention. */
export const mentionType = 'application/x-vise-path';
